// Bodies. Those that are too large to be whole are in streams.test.ts.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { makeBody } from '../../src/http/make-body.ts';
import { fc } from '../support/seed.ts';

const isWanted = () => true;
const decoders = { identity: (bytes: Uint8Array) => bytes, gzip: gunzipSync, br: brotliDecompressSync };

async function* inTurns<Part>(parts: Iterable<Part>, onEnd = () => {}): AsyncGenerator<Part> {
  try {
    for (const part of parts) yield part;
  } finally {
    onEnd();
  }
}

test('is the same whether its parts are there at once or come', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.string(), fc.uint8Array(), fc.constant('x'.repeat(3000)))),
      fc.constantFrom('identity', 'gzip', 'br'),
      async (parts, coding) => {
        const text = Buffer.concat(parts.map((part) => Buffer.from(part)));
        const digest = createHash('sha256').update(text).digest('base64url');
        // Parts belong to who takes them.
        const copied = () => parts.map((part) => (typeof part === 'string' ? part : Uint8Array.from(part)));
        for (const some of [copied(), inTurns(copied())]) {
          const made = await makeBody(some, { coding, isWanted });
          const coded = text.length < 1024 ? 'identity' : coding;
          assert.ok('content' in made && made.content instanceof Uint8Array);
          assert.equal(made.etag, coded === 'identity' ? `"${digest}"` : `"${digest}-${coded}"`);
          assert.equal(made.coding, coded);
          assert.ok(text.equals(decoders[coded](made.content)));
        }
      },
    ),
    { numRuns: 50 },
  );
});
