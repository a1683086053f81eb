/** Archives compressed on their way into a file, as the end of its name says. */
import { constants, createGzip, createZstdCompress, type Gzip, type ZstdCompress } from 'node:zlib';

/** Destination of the bytes of an archive. Disposing of it removes what has not been finished. */
export interface Sink extends AsyncDisposable {
  /** Resolves when the bytes may be changed again. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  readonly finish: () => Promise<void>;
}

const chunkSize = 256 * 1024;

/** The sink itself for a name that asks for no compression; otherwise one that compresses into it. */
export function compressed(file: string, sink: Sink): Sink {
  if (/\.gz$/i.test(file)) return compressedBy(createGzip({ chunkSize }), sink, unnameSystem);
  // A checksum lets a reader find damage; gzip always has one.
  const params = { [constants.ZSTD_c_checksumFlag]: 1 };
  if (/\.zst$/i.test(file)) return compressedBy(createZstdCompress({ chunkSize, params }), sink);
  return sink;
}

function compressedBy(
  compressor: Gzip | ZstdCompress,
  sink: Sink,
  changeStart: (start: Uint8Array) => void = () => {},
): Sink {
  const pumped = pump();
  // The next write, or the finish, throws it.
  pumped.catch(() => {});
  return {
    // If the sink fails, the compressor is read no further and never takes the bytes: the failure ends the wait.
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
    let isFirst = true;
    for await (const block of compressor) {
      if (isFirst) changeStart(block);
      isFirst = false;
      await sink.write(block);
    }
  }

  function written(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve) => compressor.write(bytes, () => resolve()));
  }
}

/** The tenth byte names the system that compressed (RFC 1952 2.3.1): the same archive gives the same bytes on all. */
function unnameSystem(start: Uint8Array): void {
  const unknown = 255;
  start[9] = unknown;
}
