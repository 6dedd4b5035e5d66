/** The player's key, which never leaves this browser. Plain HTTP to another machine has none; see `name`. */

import { promptly } from "./browser.js";

const KINDS = { ed25519: { name: "Ed25519" }, p256: { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } };

/** @param {ArrayBuffer} bytes */
const base64 = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)));

/** Return a new key of a kind. @param {keyof typeof KINDS} kind */
async function made(kind) {
  const pair = /** @type {CryptoKeyPair} */ (await crypto.subtle.generateKey(KINDS[kind], false, ["sign", "verify"]));
  return { kind, pair };
}

/** Return the result of a request to IndexedDB. @type {<T>(request: IDBRequest<T>) => Promise<T>} */
const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Return the key of this browser. @returns {Promise<{kind: keyof typeof KINDS, pair: CryptoKeyPair}>} */
async function kept() {
  const opening = indexedDB.open("boneyard", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("keys");
  const database = await done(opening);
  const keys = (/** @type {IDBTransactionMode} */ mode) => database.transaction("keys", mode).objectStore("keys");
  const found = await done(keys("readonly").get("player"));
  if (found) return found;
  const fresh = await made("ed25519").catch(() => made("p256")); // not all browsers support Ed25519
  await done(keys("readwrite").add(fresh, "player")).catch(() => {}); // another tab has stored one in the meantime
  return done(keys("readonly").get("player"));
}

const identity = kept().catch(() => undefined);

/** Prove the key, if there is one, by a signature of the time, the page and the host. @param {string[]} about */
export const proof = (...about) => promptly(signed(about));

/** @param {string[]} about */
async function signed(about) {
  const who = await identity;
  if (!who) return undefined;
  const text = new TextEncoder().encode(["boneyard web 1", ...about].join("\n"));
  const key = await crypto.subtle.exportKey("raw", who.pair.publicKey);
  const signature = await crypto.subtle.sign(KINDS[who.kind], who.pair.privateKey, text);
  return { kind: who.kind, public: base64(key), signature: base64(signature) };
}
