// Archives in gzip or zstd: in several members or frames, truncated, and with trailing data.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { archiveText, pluginLine, softwareLine } from '../support/archive-text.ts';
import { assertBytesRefused, kindsIn } from './refused-bytes.ts';

const text = archiveText([softwareLine(), pluginLine()]);
const [start, rest] = [text.slice(0, 100), text.slice(100)];
const gzip = gzipSync(text);
const zstd = zstdCompressSync(text);

/** Builds a skippable frame (RFC 8878 3.1.2): magic number 0x184D2A50 to 0x184D2A5F, a size, and that many bytes. */
function skippableFrame(kind: number, sizeBytes: number): Buffer {
  const frame = Buffer.alloc(8 + sizeBytes, 0xa5);
  frame.writeUInt32LE(0x184d2a50 + kind);
  frame.writeUInt32LE(sizeBytes, 4);
  return frame;
}

const everyKind = Array.from({ length: 16 }, (_, kind) => skippableFrame(kind, kind * 10));
const whole: Readonly<Record<string, Uint8Array>> = {
  'gzip in two members': Buffer.concat([gzipSync(start), gzipSync(rest)]),
  'gzip with an empty member': Buffer.concat([gzipSync(''), gzip, gzipSync('')]),
  'zstd in two frames': Buffer.concat([zstdCompressSync(start), zstdCompressSync(rest)]),
  'zstd after a large skippable frame': Buffer.concat([skippableFrame(0, 3_000_000), zstd]),
  'zstd before a skippable frame': Buffer.concat([zstd, skippableFrame(15, 5)]),
  'zstd among skippable frames of every kind': Buffer.concat([
    ...everyKind,
    zstdCompressSync(start),
    ...everyKind,
    zstdCompressSync(rest),
    ...everyKind,
  ]),
};

for (const [what, bytes] of Object.entries(whole)) {
  test(`${what} is read`, async () => {
    assert.deepEqual(await kindsIn(bytes), ['software', 'plugin', 'end']);
  });
}

test('skippable frames alone are an empty archive', async () => {
  await assertBytesRefused(skippableFrame(3, 9), /^the archive is empty;/);
});

const trailers = [
  'garbage',
  '\0',
  '\0\0\0\0\0\0\0\0\0',
  '\x01',
  '\x1f',
  '(',
  '(\xb5/',
  'P*M',
  'P*M\x18',
  'PK\x03\x04',
  text,
];
for (const [name, packed] of [
  ['gzip', gzip],
  ['zstd', zstd],
] as const) {
  test(`trailing data that does not belong to ${name} is refused`, async () => {
    for (const trailer of trailers)
      for (const count of [1, 500_000]) {
        const garbage = Buffer.alloc(trailer.length * count, trailer, 'latin1');
        const message =
          /^(there is other data after the end of the compressed archive$|the compressed archive is cut off or damaged: .)/;
        await assertBytesRefused(Buffer.concat([packed, garbage]), message, trailer);
      }
  });
}

for (const [name, packed, ends] of [
  ['gzip', gzip, []],
  ['gzip in two members', whole['gzip in two members'] ?? gzip, []],
  ['zstd', zstd, []],
  ['zstd in two frames', whole['zstd in two frames'] ?? zstd, []],
  ['zstd before a skippable frame', whole['zstd before a skippable frame'] ?? zstd, [zstd.length]],
] as const) {
  test(`${name} truncated at any byte is refused`, async () => {
    const lengths = Array.from({ length: packed.length }, (_, length) => length);
    const wholeAt: readonly number[] = ends;
    for (const length of lengths.filter((one) => !wholeAt.includes(one)))
      await assertBytesRefused(packed.subarray(0, length), /./, `${length} bytes`);
  });
}
