/** Compresses an archive as the extension of its file name asks. */
import { constants, createGzip, createZstdCompress, type Gzip, type ZstdCompress } from 'node:zlib';

/** Destination of bytes. Disposing of it removes an unfinished file. */
export interface Sink extends AsyncDisposable {
  /** Writes bytes; the caller may reuse the buffer once the promise resolves. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  readonly finish: () => Promise<void>;
}

const chunkSize = 256 * 1024;

/** Wraps a sink in a compressing one if the file name asks for it. */
export function compressed(file: string, sink: Sink): Sink {
  if (/\.gz$/i.test(file)) return compressedBy(createGzip({ chunkSize }), sink);
  // The checksum lets readers detect damage; gzip always includes one.
  const params = { [constants.ZSTD_c_checksumFlag]: 1 };
  if (/\.zst$/i.test(file)) return compressedBy(createZstdCompress({ chunkSize, params }), sink);
  return sink;
}

function compressedBy(compressor: Gzip | ZstdCompress, sink: Sink): Sink {
  const pumped = pump();
  // The next write, or `finish`, reports this error.
  pumped.catch(() => {});
  return {
    // If the sink fails, nobody reads from the compressor and the write would never end; `pumped` then
    // rejects first.
    write: (bytes) => Promise.race([pumped, written(bytes)]),
    finish: async () => {
      compressor.end();
      await pumped;
      await sink.finish();
    },
    [Symbol.asyncDispose]: async () => {
      compressor.destroy();
      await Promise.allSettled([pumped]);
      await sink[Symbol.asyncDispose]();
    },
  };

  async function pump(): Promise<void> {
    for await (const block of compressor) await sink.write(block);
  }

  function written(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve) => compressor.write(bytes, () => resolve()));
  }
}
