// Published pages, below a path of nginx and of Python's http.server: charts are those of the server.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { makeSampleStore, makeStore } from '../http/support/test-server.ts';
import { publishTo } from '../publish/support/published.ts';
import { freePort } from '../support/free-port.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';
import { waitUntil } from '../support/wait-until.ts';
import { hostileRecords } from './support/hostile-records.ts';
import { openPage } from './support/open-page.ts';
import { scrollThrough, visit } from './support/pages.ts';
import { serveSampleSite } from './support/site-server.ts';

const directory = directoryOfFile();
const { url: server } = await serveSampleSite();
const root = directory.at('root');
mkdirSync(`${root}/some`, { recursive: true });
const published = await publishTo(`${root}/some/path`, await makeSampleStore(), '--plugin', '1337,2048,4242');
assert.equal(published.code, 0, published.stderr);
const hostile = await publishTo(`${root}/hostile`, await makeStore(hostileRecords()), '--all');
assert.equal(hostile.code, 0, hostile.stderr);

/** Starts a server of the files on a port. */
type StartServer = (port: number) => ChildProcess;

const servers: Readonly<Record<string, StartServer>> = {
  nginx(port) {
    const config = directory.at('nginx.conf');
    writeFileSync(
      config,
      `daemon off; pid ${directory.at('nginx.pid')}; error_log stderr; worker_processes 1; events {}
http { include /etc/nginx/mime.types; access_log off; client_body_temp_path ${directory.path}; proxy_temp_path ${directory.path};
fastcgi_temp_path ${directory.path}; uwsgi_temp_path ${directory.path}; scgi_temp_path ${directory.path};
server { listen 127.0.0.1:${port}; root ${root}; } }`,
    );
    return spawn('nginx', ['-c', config], { stdio: 'ignore' });
  },
  Python: (port) =>
    spawn('python3', ['-m', 'http.server', String(port), '--bind', '127.0.0.1'], {
      cwd: root,
      stdio: 'ignore',
    }),
};

/** The drawings of all charts of an open page, with their words. */
async function drawingsOf(address: string): Promise<readonly string[]> {
  await using open = await openPage();
  await visit(open, address);
  await scrollThrough(open.page);
  return open.page.evaluate(() =>
    [...document.querySelectorAll('plugin-chart')].map(
      (chart) =>
        chart.shadowRoot?.querySelector('.chart svg, svg')?.outerHTML ?? chart.shadowRoot?.textContent ?? '',
    ),
  );
}

for (const [name, start] of Object.entries(servers))
  describe(`from ${name}`, () => {
    let url = '';
    let child: ChildProcess;
    before(async () => {
      const port = await freePort();
      child = start(port);
      url = `http://127.0.0.1:${port}`;
      await waitUntil(() =>
        fetch(url).then(
          () => true,
          () => false,
        ),
      );
    });
    after(async () => {
      child.kill();
      await once(child, 'close');
    });

    for (const query of ['', '?view=history&unit=count', '?range=7d&previous=true', '?range=30d&group=minor'])
      test(`charts of the last 30 days are those of the server: ${query}`, async () => {
        const drawn = await drawingsOf(`${url}/some/path/plugin/1337/${query}`);
        assert.equal(drawn.length, 15);
        assert.deepEqual(drawn, await drawingsOf(`${server}/plugin/bukkit/ExamplePlugin/1337${query}`));
      });

    test('choices change the charts, and are kept in the address', async () => {
      await using open = await openPage();
      const { page, requests } = open;
      await visit(open, `${url}/some/path/plugin/1337/`);
      await page.getByRole('link', { name: '1y', exact: true }).click();
      await page.locator('#servers plugin-chart').getByText(/2025/).first().waitFor();
      assert.equal(page.url(), `${url}/some/path/plugin/1337/?range=1y`);
      await page.reload();
      await page.locator('#servers plugin-chart').getByText(/2025/).first().waitFor();
      await scrollThrough(page);
      assert.equal(requests.filter((one) => one.endsWith('/data.json')).length, 2);
    });

    test('every page shows itself without an error, and each link of it leads to a file', async () => {
      const seen = new Set([`${url}/some/path/`]);
      for (const address of seen) {
        await using open = await openPage();
        await visit(open, address);
        const links = await open.page.evaluate(() => [...document.links].map(({ href }) => href));
        for (const link of links) {
          const target = link.replace(/[?#].*/, '');
          if (!target.startsWith(url)) continue;
          assert.ok(target.startsWith(`${url}/some/path/`), link);
          if (target.endsWith('/')) seen.add(target);
          else assert.equal((await fetch(target, { method: 'HEAD' })).status, 200, link);
        }
      }
      assert.ok(seen.size > 6, [...seen].join());
    });

    test('a page works without script', async () => {
      await using open = await openPage({ javaScriptEnabled: false, colorScheme: 'dark' });
      const { page } = open;
      await page.goto(`${url}/some/path/plugin/1337/`);
      const picture = page.getByAltText('Minecraft Version');
      await picture.scrollIntoViewIfNeeded();
      const shown = await picture.evaluate((image: HTMLImageElement) => [
        image.currentSrc,
        image.naturalWidth,
      ]);
      assert.deepEqual(shown, [`${url}/some/path/plugin/1337/dark/minecraftVersion.svg`, 800]);
      assert.equal(await page.getByRole('link', { name: '7d', exact: true }).count(), 0);
    });

    test('hostile names stay text', async () => {
      for (const path of ['/hostile/', '/hostile/plugin/1/']) {
        await using open = await openPage();
        await visit(open, url + path);
        await scrollThrough(open.page);
        assert.notEqual(await open.page.title(), 'hacked');
      }
    });
  });
