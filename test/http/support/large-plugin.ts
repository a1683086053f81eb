/** A plugin whose archive and CSV have more than 16 MiB, and clients that take their time with them. */
import http from 'node:http';
import { archiveText, chartLine, dataLine, pluginLine, softwareLine } from '../../support/archive-text.ts';

/** Size up to which a response is whole. */
export const maxHeldBytes = 16 * 1024 * 1024;

/** Paths of the plugin. */
export const largeArchivePath = '/api/v2/plugins/7/archive';
export const largeCsvPath = '/api/v2/plugins/7/export.csv';

/** The number of slices in each of its pies, and the length of their names: a million bytes of data. */
const sliceCount = 5000;
const nameLength = 180;

/**
 * The archive of plugin 7, which has this many large pies. It is what the server answers for it, to the byte.
 */
export function largeArchive({ pieCount = 20, value = 1, title = 'Pie' } = {}): string {
  const name = (index: number) => `${index} `.padEnd(nameLength, 'abcdefghij');
  const slices = Array.from({ length: sliceCount }, (_, index) => ({ name: name(index), y: value }));
  const data = JSON.stringify(slices);
  const pies = Array.from({ length: pieCount }, (_, index) => {
    const chart = { chartId: `pie${index}`, uid: 100 + index, type: 'advanced_pie', position: index };
    return [chartLine({ ...chart, title, data: {} }), dataLine(`pie${index}`, data)];
  });
  return archiveText([softwareLine(), pluginLine(), ...pies.flat()]);
}

/** An archive of exactly this size, with large pies. */
export function archiveOfSize(sizeBytes: number): string {
  const pieBytes = largeArchive({ pieCount: 2 }).length - largeArchive({ pieCount: 1 }).length;
  const shorter = largeArchive({ pieCount: Math.floor(sizeBytes / pieBytes) - 1 });
  // Two charts with settings, since one has at most a megabyte of them.
  const missing = sizeBytes - shorter.length - 2 * '"a":""'.length;
  const half = Math.floor(missing / 2);
  return [half, missing - half].reduce(
    (text, length) => text.replace('"data":{}', `"data":{"a":"${'x'.repeat(length)}"}`),
    shorter,
  );
}

/** An answer that is read when the test wants it. */
export interface SlowAnswer extends Disposable {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  /** Reads on to the end; rejects if the body ends too early. */
  readonly rest: () => Promise<Buffer>;
  /** Reads this many bytes, or a little more; fewer at the end. */
  readonly some: (sizeBytes: number) => Promise<Buffer>;
}

/** Asks on a connection of its own, and reads nothing of the body yet. */
export async function askSlowly(
  url: string,
  target: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<SlowAnswer> {
  const { hostname, port } = new URL(url);
  const request = http.get({ agent: false, hostname, port, path: target, headers });
  const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    // An error after the head is one of the body too.
    request.on('error', reject);
  });
  const chunks = answer.iterator({ destroyOnReturn: false });
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    rest: async () => Buffer.concat(await Array.fromAsync(chunks)),
    some: async (sizeBytes) => {
      const got: Buffer[] = [];
      for (let gotBytes = 0; gotBytes < sizeBytes; ) {
        const { done, value } = await chunks.next();
        if (done === true) break;
        got.push(value);
        gotBytes += value.length;
      }
      return Buffer.concat(got);
    },
    [Symbol.dispose]: () => void request.destroy(),
  };
}
