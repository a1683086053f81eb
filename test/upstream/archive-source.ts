/** A source with a store of this program, and a mirror of it. Any of its answers may be replaced. */
import { mkdirSync } from 'node:fs';
import { serveStore } from '../http/support/test-server.ts';
import { pastText } from '../support/archive-text.ts';
import { exportText, importText } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { type DialectServer, type Reply, serveRoutes } from './dialect-server.ts';
import {
  emptyMirror,
  fastClock,
  type Mirrored,
  type MirrorOnceOptions,
  type MirrorRun,
  mirrorOnce,
} from './mirror-into.ts';

/** The source. */
export interface ArchiveSource extends AsyncDisposable {
  readonly store: string;
  readonly mirror: Mirrored;
  /** The server that the mirror asks: routes replace answers of the source. */
  readonly server: DialectServer;
  /** Imports records into the source. */
  readonly add: (lines: readonly string[]) => Promise<void>;
  /** Mirrors all plugins at a time. */
  readonly visit: (at: number, options?: MirrorOnceOptions) => Promise<MirrorRun>;
  readonly sourceText: () => Promise<string>;
  readonly mirrorText: () => Promise<string>;
}

/** Serves these records. */
export async function serveArchives(lines: readonly string[]): Promise<ArchiveSource> {
  const directory = temporaryDirectory();
  const store = directory.at('source.db');
  const add = (more: readonly string[]) => importText(store, pastText(more));
  await add(lines);
  const real = await serveStore(store);
  const server = await serveRoutes({}, async ({ target, headers }): Promise<Reply> => {
    const tag = headers['if-none-match'];
    const response = await fetch(real.url + target, {
      headers: tag === undefined ? {} : { 'If-None-Match': tag },
    });
    const sent = ['ETag', 'Content-Type'].map((name) => [name, response.headers.get(name) ?? '']);
    return { status: response.status, headers: Object.fromEntries(sent), body: await response.bytes() };
  });
  mkdirSync(directory.at('mirror'));
  const mirror = emptyMirror(directory.at('mirror'));
  return {
    store,
    mirror,
    server,
    add,
    visit: (at, options = {}) =>
      mirrorOnce(mirror, server.url, {
        pluginIds: undefined,
        clock: fastClock(at),
        allowsFuture: false,
        ...options,
      }),
    sourceText: () => exportText(store),
    mirrorText: () => exportText(mirror.path),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await real[Symbol.asyncDispose]();
      directory[Symbol.dispose]();
    },
  };
}
