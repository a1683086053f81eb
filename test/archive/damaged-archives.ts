/** Archives in gzip or zstd that are damaged at their end. */
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { archiveText, pluginLine, softwareLine } from '../support/archive-text.ts';

const text = archiveText([softwareLine(), pluginLine()]);
const [start, rest] = [text.slice(0, 100), text.slice(100)];
const gzip = gzipSync(text);
const zstd = zstdCompressSync(text);

/**
 * Builds a skippable frame (RFC 8878 3.1.2): magic number 0x184D2A50 to 0x184D2A5F, a size, and that many
 * bytes.
 */
export function skippableFrame(kind: number, sizeBytes: number): Buffer {
  const frame = Buffer.alloc(8 + sizeBytes, 0xa5);
  frame.writeUInt32LE(0x184d2a50 + kind);
  frame.writeUInt32LE(sizeBytes, 4);
  return frame;
}

const everyKind = Array.from({ length: 16 }, (_, kind) => skippableFrame(kind, kind * 10));
const gzipInTwoMembers = Buffer.concat([gzipSync(start), gzipSync(rest)]);
const zstdInTwoFrames = Buffer.concat([zstdCompressSync(start), zstdCompressSync(rest)]);
const zstdBeforeFrame = Buffer.concat([zstd, skippableFrame(15, 5)]);

/** Archives of a software and a plugin that are read, by their form. */
export const wholeArchives: Readonly<Record<string, Uint8Array>> = {
  'gzip in two members': gzipInTwoMembers,
  'zstd in two frames': zstdInTwoFrames,
  'zstd after a large skippable frame': Buffer.concat([skippableFrame(0, 3_000_000), zstd]),
  'zstd among skippable frames of every kind': Buffer.concat([
    ...everyKind,
    zstdCompressSync(start),
    ...everyKind,
    zstdCompressSync(rest),
    ...everyKind,
  ]),
};

const trailers = ['garbage', '\0', '\x1f', '(\xb5/', 'P*M\x18', text];

/** Archives behind which other data stands so many times, by what they are and by these data. */
export function trailingArchives(
  count: number,
): readonly { readonly what: string; readonly trailer: string; readonly bytes: Uint8Array }[] {
  return Object.entries({ gzip, zstd }).flatMap(([what, packed]) =>
    trailers.map((trailer) => ({
      what,
      trailer,
      bytes: Buffer.concat([packed, Buffer.alloc(trailer.length * count, trailer, 'latin1')]),
    })),
  );
}

/**
 * Archives that are cut at every byte, by what they are; a cut after which the archive is still whole is left
 * out.
 */
export const truncatedArchives: Readonly<Record<string, readonly Uint8Array[]>> = {
  gzip: cuts(gzip),
  'gzip in two members': cuts(gzipInTwoMembers),
  zstd: cuts(zstd),
  'zstd in two frames': cuts(zstdInTwoFrames),
  'zstd before a skippable frame': cuts(zstdBeforeFrame, zstd.length),
};

function cuts(packed: Buffer, wholeLength?: number): readonly Uint8Array[] {
  return Array.from({ length: packed.length }, (_, length) => packed.subarray(0, length)).filter(
    ({ length }) => length !== wholeLength,
  );
}
