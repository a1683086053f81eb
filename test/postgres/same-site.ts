/** The site over a PostgreSQL server, compared byte by byte with the site over SQLite. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listApiEndpoints } from '../../src/api/routes.ts';
import { openArchiveReader } from '../../src/archive/archive-reader.ts';
import { parseStoreName } from '../../src/cli/store-name.ts';
import { copyRecords, noCounts } from '../../src/model/copy-records.ts';
import type { MetricsReader } from '../../src/model/metrics-reader.ts';
import { createSite } from '../../src/site/site.ts';
import { sampleFile } from '../http/support/sample-file.ts';
import {
  type TestServer as HttpTestServer,
  makeSampleStore,
  serveReader,
} from '../http/support/test-server.ts';
import { filesIn, publishTo } from '../publish/support/published.ts';
import { openSqliteReader } from '../support/reads.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import type { TestServer } from './test-server.ts';

/** Each kind of page, data and picture once. */
const targets = [
  '/',
  '/?q=example',
  '/?q=harborgaet',
  '/?sort=change',
  '/software/bukkit',
  '/owner/42',
  '/sitemap.xml',
  '/plugin/bukkit/ExamplePlugin/1337',
  '/plugin/bukkit/ExamplePlugin/1337/players.csv',
  '/plugin/bukkit/ExamplePlugin/1337+2049',
  '/plugin/bukkit/ExamplePlugin/1337/feed.atom',
  '/compare?charts=1337:players,1337:servers&mode=sum&range=all',
  '/compare?charts=1337:minecraftVersion,2048:minecraftVersion&view=ladder',
  '/api/v2/plugins?q=e&sort=name&limit=2',
  '/api/v2/plugins/1337',
  '/api/v2/plugins/1337/export.csv',
  '/api/v2/plugins/1337/archive?since=2026-01-01',
  '/api/v2/plugins/1337/insights',
  '/api/v2/metrics?plugin=1337',
  '/api/v2/software',
  '/embed/1337.svg',
  '/embed/1337/players.svg?range=1y',
  '/embed/1337/minecraftVersion.svg?view=history&range=all',
  '/embed/1337/location.svg',
  '/embed/lines.svg?charts=1337:players,2048:players&range=1y&mode=indexed',
  '/badge/1337/os.json',
  '/embed/1337/nothing.svg',
];

/** Declares the tests. */
export function sameSite(databases: TestServer): void {
  test('the site over PostgreSQL answers the same bytes as over SQLite', async () => {
    const onServer = parseStoreName(await makeSampleDatabase(databases));
    const postgresReader = await onServer.openReader();
    const sqliteReader = openSqliteReader(await makeSampleStore());
    await using overPostgres = await serve(postgresReader);
    await using overSqlite = await serve(sqliteReader);
    for (const target of targets) {
      const [one, other] = await Promise.all(
        [overPostgres, overSqlite].map(({ url }) => fetch(url + target, { redirect: 'manual' })),
      );
      assert.equal(one?.status, target.includes('nothing') ? 404 : 200, target);
      assert.equal(one?.headers.get('etag'), other?.headers.get('etag'), target);
      assert.equal(await one?.text(), await other?.text(), target);
    }
  });

  test('what is published from PostgreSQL has the same bytes as from SQLite', async () => {
    using folder = temporaryDirectory();
    const [one, other] = [folder.at('one'), folder.at('other')];
    for (const [path, store] of [
      [one, await makeSampleDatabase(databases)],
      [other, await makeSampleStore()],
    ] as const)
      assert.equal((await publishTo(path, store, '--plugin', '1337,2048')).code, 0);
    const files = filesIn(one);
    assert.ok(files.size > 200);
    assert.deepEqual(files, filesIn(other));
  });
}

async function makeSampleDatabase(databases: TestServer): Promise<string> {
  const name = await databases.emptyDatabase();
  await using writer = await parseStoreName(name).openWriter();
  await copyRecords(await openArchiveReader(sampleFile), writer, noCounts());
  await writer.commit();
  return name;
}

function serve(reader: MetricsReader): Promise<HttpTestServer> {
  const { endpoints, showProblem } = createSite();
  return serveReader(reader, {
    endpoints: [...listApiEndpoints({ hasLiveFields: false }), ...endpoints],
    showProblem,
    publicUrl: 'https://metrics.example.org',
  });
}
