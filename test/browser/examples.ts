// The examples as people would run them: in a browser, compiled and bundled with React, and by Python.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { pageTest } from './support/open-page.ts';
import { servePage, serveSampleSite } from './support/site-server.ts';

const run = promisify(execFile);
const folder = temporaryDirectory();
after(() => folder[Symbol.dispose]());
const { url } = await serveSampleSite();
const server = url.replace(/\/$/, '');
const example = (name: string) => fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));
const readExample = (name: string) =>
  readFileSync(example(name), 'utf8').replaceAll('https://metrics.example.org', server);
const policy = `default-src 'none'; script-src ${server} 'self'; connect-src ${server}; img-src ${server}; style-src 'unsafe-inline'`;

pageTest('the page shows a badge and draws both charts', { mayFail: true }, async ({ page }) => {
  const html = readExample('page.html').replace(/^<!doctype html>\n<html lang="en">/, '');
  await page.goto(await servePage({ html, policy }));
  for (const chart of ['players', 'minecraftVersion']) {
    await page.locator(`plugin-chart[chart=${chart}]`).scrollIntoViewIfNeeded();
    await page.locator(`plugin-chart[chart=${chart}] .chart-box > svg`).waitFor();
  }
  const badgeWidth = await page.locator('a img').evaluate((image: HTMLImageElement) => image.naturalWidth);
  assert.ok(badgeWidth > 50);
});

pageTest('the React component compiles, and draws its chart', { mayFail: true }, async ({ page }) => {
  const packages = ['react@19.2.0', 'react-dom@19.2.0', '@types/react@19.2.2', '@types/react-dom@19.2.2'];
  writeFileSync(folder.at('package.json'), '{"private":true,"type":"module"}');
  const options = ['--save-exact', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  await run('npm', ['install', ...options, ...packages], { cwd: folder.path });
  cpSync(example('PluginChart.tsx'), folder.at('PluginChart.tsx'));
  writeFileSync(
    folder.at('main.tsx'),
    `import { createRoot } from 'react-dom/client';
import { PluginChart } from './PluginChart.tsx';
createRoot(document.body).render(<PluginChart server="${server}" plugin={1337} chart="players" />);
`,
  );
  const tsc = fileURLToPath(new URL('../../node_modules/.bin/tsc', import.meta.url));
  const checks =
    '--noEmit --strict --jsx react-jsx --module esnext --moduleResolution bundler --target esnext';
  const ofTypes = ['--allowImportingTsExtensions', '--skipLibCheck', '--types', 'react', 'main.tsx'];
  await run(tsc, [...checks.split(' '), ...ofTypes], { cwd: folder.path });
  const { outputFiles } = await build({
    entryPoints: [folder.at('main.tsx')],
    bundle: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const address = await servePage({ html: '<body><script type="module" src="/main.js"></script>', policy });
  await page.route(`${address}main.js`, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: outputFiles[0]?.text ?? '' }),
  );
  await page.goto(address);
  await page.locator('plugin-chart[chart=players] .chart-box > svg').waitFor();
});

test('the bot posts servers, players and the picture, with its token; what goes wrong is said', async () => {
  const posts: {
    readonly path: string | undefined;
    readonly headers: IncomingHttpHeaders;
    readonly body: string;
  }[] = [];
  const discord = createServer(async (request, response) => {
    const body = await Array.fromAsync(request.setEncoding('utf8'));
    posts.push({ path: request.url, headers: request.headers, body: body.join('') });
    const isKnown = request.headers.authorization === 'Bot secret';
    response.writeHead(isKnown ? 200 : 401).end(isKnown ? '{"id":"1"}' : '{"message":"401: Unauthorized"}');
  });
  await new Promise<void>((resolve) => discord.listen(0, '127.0.0.1', resolve));
  after(() => discord.close());
  const variables = {
    METRICS_URL: `${server}/`,
    PLUGIN_ID: '1337',
    DISCORD_TOKEN: 'secret',
    DISCORD_CHANNEL: '99',
    DISCORD_API: `http://127.0.0.1:${(discord.address() as AddressInfo).port}`,
  };
  const post = (changed: NodeJS.ProcessEnv) =>
    run('python3', [example('discord_bot.py')], {
      env: { PATH: process.env['PATH'], ...variables, ...changed },
    });
  await post({});
  const [sent] = posts;
  assert.equal(sent?.path, '/channels/99/messages');
  const { embeds } = JSON.parse(sent.body);
  assert.deepEqual(embeds, [
    {
      title: 'ExamplePlugin',
      url: `${server}/plugin/1337`,
      fields: [
        { name: 'Servers using ExamplePlugin', value: '2,444', inline: true },
        { name: 'Players on servers using ExamplePlugin', value: '3,883', inline: true },
      ],
      image: { url: `${server}/embed/1337.png?range=30d&theme=dark` },
      timestamp: '2026-06-30T23:30:00+00:00',
    },
  ]);
  assert.equal(
    (await fetch(`${server}/embed/1337.png?range=30d&theme=dark`)).headers.get('content-type'),
    'image/png',
  );
  await assert.rejects(post({ DISCORD_TOKEN: 'wrong' }), /401: .*Unauthorized/);
  await assert.rejects(post({ PLUGIN_ID: '4' }), /answered 404: .*no plugin with the id 4/);
  await assert.rejects(post({ DISCORD_TOKEN: undefined }), /the variable DISCORD_TOKEN is not set/);
});
