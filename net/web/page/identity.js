/**
 * Who the player is, by a key that never leaves this browser: made at the first visit, kept in IndexedDB.
 * Plain HTTP to another machine has no WebCrypto; there, the name that the host tells has a code in it.
 */

/** @typedef {{kind: "ed25519" | "p256", pair: CryptoKeyPair}} Identity */

const KINDS = /** @type {const} */ ([
  ["ed25519", { name: "Ed25519" }, { name: "Ed25519" }],
  ["p256", { name: "ECDSA", namedCurve: "P-256" }, { name: "ECDSA", hash: "SHA-256" }],
]);

/**
 * Base64url without padding.
 * @param {ArrayBuffer} bytes
 */
const base64url = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** @returns {Promise<Identity>} */
async function fresh() {
  for (const [kind, algorithm] of KINDS) {
    try {
      const pair = await crypto.subtle.generateKey(algorithm, false, ["sign", "verify"]);
      return { kind, pair: /** @type {CryptoKeyPair} */ (pair) };
    } catch {
      // this browser lacks that kind
    }
  }
  throw new Error("no kind of key");
}

/** @returns {Promise<Identity>} */
async function kept() {
  const opening = indexedDB.open("boneyard", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("keys");
  const database = await done(opening);
  try {
    const found = await done(database.transaction("keys").objectStore("keys").get("player"));
    if (found) return found;
    const made = await fresh();
    const keys = database.transaction("keys", "readwrite").objectStore("keys");
    const other = await done(keys.get("player")); // of a second tab, opened at the same time
    if (!other) await done(keys.put(made, "player"));
    return other ?? made;
  } finally {
    database.close();
  }
}

/** @type {Promise<Identity | undefined>} */
const identity = globalThis.crypto?.subtle ? kept().catch(() => undefined) : Promise.resolve(undefined);

/**
 * What proves to the host who asks that this browser has its key; undefined where there is none.
 * @param {string} nonce what the host chose, to be signed once
 * @param {string} host the fingerprint of the host's key, so that no other host can use the signature
 */
export async function proof(nonce, host) {
  const who = await identity;
  if (!who) return undefined;
  const text = new TextEncoder().encode(`boneyard web 1\n${nonce}\n${location.origin}\n${host}`);
  const [, , signing] = KINDS[who.kind === "ed25519" ? 0 : 1];
  const [key, signature] = await Promise.all([
    crypto.subtle.exportKey("raw", who.pair.publicKey),
    crypto.subtle.sign(signing, who.pair.privateKey, text),
  ]);
  return { kind: who.kind, public: base64url(key), signature: base64url(signature) };
}
