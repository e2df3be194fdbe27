// SHA-256 and HMAC-SHA-256: Web Crypto where the browser lets this page have it, else the ones written here.
// Here: bytes in, bytes out. Never: what they are of.

const subtle = globalThis.crypto?.subtle;

async function sha256(bytes) {
  return subtle ? new Uint8Array(await subtle.digest("SHA-256", bytes)) : sha256Here(bytes);
}

// A function from bytes to their HMAC under this key.
async function hmac(key) {
  if (!subtle) return async (bytes) => hmacHere(key, bytes);
  const kept = await subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return async (bytes) => new Uint8Array(await subtle.sign("HMAC", kept, bytes));
}

function hex(bytes) {
  return Array.from(bytes, (one) => one.toString(16).padStart(2, "0")).join("");
}

// Null: these are no pairs of hex digits.
function unhex(text) {
  if (!/^([0-9a-fA-F]{2})*$/.test(text)) return null;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

// ---- without Web Crypto (FIPS 180-4, RFC 2104)

const BLOCK = 64; // bytes

// The first 32 bits behind the point of a root: what SHA-256 takes its constants from.
function fraction(root) {
  return ((root - Math.floor(root)) * 2 ** 32) | 0;
}

function primes(count) {
  const found = [];
  for (let n = 2; found.length < count; n++) {
    if (found.every((prime) => n % prime)) found.push(n);
  }
  return found;
}

const ROUNDS = Int32Array.from(primes(64), (prime) => fraction(Math.cbrt(prime)));
const START = Int32Array.from(primes(8), (prime) => fraction(Math.sqrt(prime)));

function sha256Here(bytes) {
  const padded = pad(bytes);
  const view = new DataView(padded.buffer);
  const state = START.slice();
  for (let at = 0; at < padded.length; at += BLOCK) mix(state, view, at);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, place) => digest.setInt32(4 * place, word));
  return new Uint8Array(digest.buffer);
}

// A one bit, zeros, and the length in bits as 8 bytes, to a whole number of blocks.
function pad(bytes) {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  new DataView(padded.buffer).setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  return padded;
}

function turned(word, by) {
  return (word >>> by) | (word << (32 - by));
}

function schedule(view, at) {
  const words = new Int32Array(64);
  for (let n = 0; n < 16; n++) words[n] = view.getInt32(at + 4 * n);
  for (let n = 16; n < 64; n++) {
    const [near, far] = [words[n - 15], words[n - 2]];
    const low = turned(near, 7) ^ turned(near, 18) ^ (near >>> 3);
    const high = turned(far, 17) ^ turned(far, 19) ^ (far >>> 10);
    words[n] = words[n - 16] + low + words[n - 7] + high;
  }
  return words;
}

function mix(state, view, at) {
  const words = schedule(view, at);
  let [a, b, c, d, e, f, g, h] = state;
  for (let n = 0; n < 64; n++) {
    const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[n] + words[n]) | 0;
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, place) => (state[place] += word));
}

function hmacHere(key, bytes) {
  const block = new Uint8Array(BLOCK);
  block.set(key.length > BLOCK ? sha256Here(key) : key);
  const inner = sha256Here(joined(block.map((one) => one ^ 0x36), bytes));
  return sha256Here(joined(block.map((one) => one ^ 0x5c), inner));
}

function joined(one, other) {
  const all = new Uint8Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}
