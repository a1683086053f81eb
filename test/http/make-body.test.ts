// Bodies, whole and as streams.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Redirect } from '../../src/http/endpoint.ts';
import { makeBody, StreamedBody } from '../../src/http/make-body.ts';
import { Abandoned } from '../../src/http/semaphore.ts';
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
          assert.ok('digest' in made);
          assert.equal(made.digest, digest);
          assert.equal(made.coding, text.length < 1024 ? 'identity' : coding);
          assert.ok(text.equals(decoders[made.coding](made.bytes)));
        }
      },
    ),
    { numRuns: 50 },
  );
});

const megabyte = () => Buffer.alloc(1024 * 1024, 'abc');

for (const coding of ['identity', 'gzip', 'br'] as const)
  test(`of more than 16 MiB is a stream, in ${coding}`, async () => {
    const made = await makeBody(inTurns(Array.from({ length: 20 }, megabyte)), { coding, isWanted });
    assert.ok(made instanceof StreamedBody);
    const chunks: Uint8Array[] = [];
    for await (const chunk of made.chunks) chunks.push(chunk);
    assert.equal(decoders[coding](Buffer.concat(chunks)).length, 20 * 1024 * 1024);
  });

test('of 16 MiB is whole', async () => {
  const made = await makeBody(inTurns(Array.from({ length: 16 }, megabyte)), {
    coding: 'identity',
    isWanted,
  });
  assert.ok('bytes' in made && made.bytes.length === 16 * 1024 * 1024);
});

test('that nobody reads on is given up, with what makes it', async () => {
  let isEnded = false;
  const parts = inTurns(Array.from({ length: 30 }, megabyte), () => {
    isEnded = true;
  });
  const made = await makeBody(parts, { coding: 'identity', isWanted });
  assert.ok(made instanceof StreamedBody);
  for await (const _ of made.chunks) break;
  await made[Symbol.asyncDispose]();
  assert.equal(isEnded, true);
});

test('whose parts fail on the way rejects, and a stream of them throws', async () => {
  function* failing(count: number) {
    for (let index = 0; index < count; index++) yield megabyte();
    throw new Error('lost');
  }
  await assert.rejects(makeBody(inTurns(failing(2)), { coding: 'gzip', isWanted }), /lost/);
  for (const coding of ['identity', 'gzip'] as const) {
    const made = await makeBody(inTurns(failing(18)), { coding, isWanted });
    assert.ok(made instanceof StreamedBody);
    await assert.rejects(async () => {
      for await (const _ of made.chunks);
    }, /lost/);
  }
});

test('that is not wanted any more is not gone on with', async () => {
  let madeCount = 0;
  let isEnded = false;
  function* counting() {
    for (;;) {
      madeCount++;
      yield 'x';
    }
  }
  const parts = inTurns(counting(), () => {
    isEnded = true;
  });
  await assert.rejects(makeBody(parts, { coding: 'identity', isWanted: () => madeCount < 5 }), Abandoned);
  assert.deepEqual([madeCount, isEnded], [5, true]);
});

test('may be a redirect', async () => {
  const redirect = new Redirect('/there');
  assert.equal(await makeBody(inTurns([redirect]), { coding: 'br', isWanted }), redirect);
});
