/** A short name for bytes, so that different bytes have different names. */
import { createCipheriv } from 'node:crypto';

const key = Buffer.alloc(16);
const nonce = Buffer.alloc(12);

/**
 * 128 bits in base64url, the same on every machine: the tag of AES-GCM over the bytes, which nothing else is
 * encrypted with. It is a polynomial in the bytes with a fixed key, so that two answers share a name once in
 * some 2^115 pairs unless somebody sets out to make them; and whoever could write such answers into the store
 * has no use for that. A quarter of the time of SHA-256, which was an eighth of an answer that is not remembered.
 */
export function fingerprint(bytes: Uint8Array): string {
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  cipher.setAAD(bytes);
  cipher.final();
  return cipher.getAuthTag().toString('base64url');
}
