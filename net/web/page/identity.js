/**
 * Who the player is, by a key that never leaves this browser: made at the first visit, kept in IndexedDB.
 * Plain HTTP to another machine has no WebCrypto; there, the name that the host tells has a code in it.
 */

const KINDS = { ed25519: { name: "Ed25519" }, p256: { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } };

/** @typedef {{kind: keyof typeof KINDS, pair: CryptoKeyPair}} Identity */

/** Bytes in base64url without padding. @type {(bytes: ArrayBuffer) => string} */
const base64url = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** What a request of IndexedDB gives. @type {<T>(request: IDBRequest<T>) => Promise<T>} */
const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** A new key, which nobody can read. @type {(kind: keyof typeof KINDS) => Promise<Identity>} */
async function made(kind) {
  const pair = await crypto.subtle.generateKey(KINDS[kind], false, ["sign", "verify"]);
  return { kind, pair: /** @type {CryptoKeyPair} */ (pair) };
}

/** The key of this browser. @returns {Promise<Identity>} */
async function kept() {
  const opening = indexedDB.open("boneyard", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("keys");
  const database = await done(opening);
  const keys = (/** @type {IDBTransactionMode} */ mode) => database.transaction("keys", mode).objectStore("keys");
  const found = await done(keys("readonly").get("player"));
  if (found) return found;
  const fresh = await made("ed25519").catch(() => made("p256")); // older browsers know only that
  await done(keys("readwrite").add(fresh, "player")).catch(() => {}); // another tab was quicker
  return done(keys("readonly").get("player"));
}

const identity = kept().catch(() => undefined);

/**
 * What proves to a host that this browser has its key; undefined where there is none. It signs the nonce that the
 * host chose, and the fingerprint of the host's key, so that no other host can use the signature.
 * @type {(nonce: string, host: string) => Promise<{kind: string, public: string, signature: string} | undefined>}
 */
export async function proof(nonce, host) {
  const who = await identity;
  if (!who) return undefined;
  const text = new TextEncoder().encode(`boneyard web 1\n${nonce}\n${location.origin}\n${host}`);
  const [key, signature] = await Promise.all([
    crypto.subtle.exportKey("raw", who.pair.publicKey),
    crypto.subtle.sign(KINDS[who.kind], who.pair.privateKey, text),
  ]);
  return { kind: who.kind, public: base64url(key), signature: base64url(signature) };
}
