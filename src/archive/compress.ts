/** Compresses archives on their way to a file, as the end of its name says. */
import { constants, createGzip, createZstdCompress, type Gzip, type ZstdCompress } from 'node:zlib';

/** A destination of bytes. Disposing of it removes an unfinished file. */
export interface Sink extends AsyncDisposable {
  /** Writes bytes, and resolves when the caller may change them again. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  readonly finish: () => Promise<void>;
}

const chunkSize = 256 * 1024;

/** Wraps a sink in one that compresses, if the name of the file asks for it. */
export function compressed(file: string, sink: Sink): Sink {
  if (/\.gz$/i.test(file)) return compressedBy(createGzip({ chunkSize }), sink);
  // With a checksum, so that a reader finds damage; gzip always has one.
  const params = { [constants.ZSTD_c_checksumFlag]: 1 };
  if (/\.zst$/i.test(file)) return compressedBy(createZstdCompress({ chunkSize, params }), sink);
  return sink;
}

function compressedBy(compressor: Gzip | ZstdCompress, sink: Sink): Sink {
  const pumped = pump();
  // The next write, or `finish`, throws the error.
  pumped.catch(() => {});
  return {
    // If the sink fails, the compressor is no longer read and would never take the bytes, so the failure ends the wait.
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
