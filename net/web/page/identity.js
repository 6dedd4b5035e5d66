/**
 * Who the player is, by a key that never leaves this browser: made at the first visit, kept in IndexedDB.
 * Plain HTTP to another machine has no WebCrypto; there, the name that the host tells has a code in it.
 */

const KINDS = { ed25519: { name: "Ed25519" }, p256: { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } };

/** @type {(bytes: ArrayBuffer) => string} */
function base64url(bytes) {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** What a request of IndexedDB gives. @type {<T>(request: IDBRequest<T>) => Promise<T>} */
const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** The key of this browser. @returns {Promise<{kind: keyof typeof KINDS, pair: CryptoKeyPair}>} */
async function kept() {
  const opening = indexedDB.open("boneyard", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("keys");
  const database = await done(opening);
  const keys = (/** @type {IDBTransactionMode} */ mode) => database.transaction("keys", mode).objectStore("keys");
  const found = await done(keys("readonly").get("player"));
  if (found) return found;
  const pair = await crypto.subtle.generateKey(KINDS.p256, false, ["sign", "verify"]); // which all browsers know
  await done(keys("readwrite").add({ kind: "p256", pair }, "player")).catch(() => {}); // another tab was quicker
  return done(keys("readonly").get("player"));
}

const identity = kept().catch(() => undefined);

/** A signature for one time, page and host proves the key, if there is one. @param {string[]} about */
export async function proof(...about) {
  const who = await identity;
  if (!who) return undefined;
  const text = new TextEncoder().encode(["boneyard web 1", ...about].join("\n"));
  const key = await crypto.subtle.exportKey("raw", who.pair.publicKey);
  const signature = await crypto.subtle.sign(KINDS[who.kind], who.pair.privateKey, text);
  return { kind: who.kind, public: base64url(key), signature: base64url(signature) };
}
