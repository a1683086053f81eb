// The snippets of the Embed dialog.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EmbedChoice, isOfThisComputer, snippetsFor } from '../../../src/site/browser/snippets.ts';

const server = 'https://metrics.example.org';
const page = `${server}/plugin/bukkit/ExamplePlugin/1337`;

const choice: EmbedChoice = {
  server,
  pagePath: '/plugin/bukkit/ExamplePlugin/1337',
  subject: { kind: 'chart', charts: [{ pluginId: 1337, chartId: 'players' }], form: 'line' },
  title: 'Players on servers using ExamplePlugin',
  theme: 'auto',
  width: 800,
  height: 300,
  window: '30d',
  view: 'now',
  unit: 'percent',
  group: 'none',
  previous: 'false',
  label: '',
};

const pie: EmbedChoice = {
  ...choice,
  subject: { kind: 'chart', charts: [{ pluginId: 1337, chartId: 'os' }], form: 'pie' },
};

const hostile = `"><script>alert(1)</script> [x](y) \`*_ 'q' & {{`;

test('every format gives exactly this snippet', () => {
  const [link, picture, title] = [`${page}#players`, `${server}/embed/1337/players`, choice.title];
  assert.deepEqual(textsOf(choice), {
    Markdown: `<a href="${link}">
<picture>
  <source media="(prefers-color-scheme: dark)" srcset="${picture}.svg?theme=dark">
  <img alt="${title}" src="${picture}.svg?theme=light">
</picture>
</a>`,
    'Markdown image': `[![${title}](${picture}.svg)](${link})`,
    HTML: `<a href="${link}"><img src="${picture}.svg" width="800" height="300" alt="${title}" loading="lazy"></a>`,
    BBCode: `[url=${link}][img]${picture}.png[/img][/url]`,
    Tag: `<script type="module" src="${server}/embed.js"></script>
<plugin-chart plugin="1337" chart="players" theme="auto"></plugin-chart>`,
    Badge: `[![${title}](${server}/badge/1337/players.svg)](${link})`,
    URL: `${picture}.svg`,
    PNG: `${picture}.png`,
  });
});

test('an address of this computer is told from others', () => {
  for (const host of [
    'localhost',
    'localhost:8080',
    'a.localhost',
    '127.0.0.1:8080',
    '127.9.9.9',
    '[::1]:80',
  ])
    assert.equal(isOfThisComputer(`http://${host}`), true, host);
  for (const host of ['metrics.example.org', '127.example.org', '192.168.1.2', '[::2]', 'notlocalhost'])
    assert.equal(isOfThisComputer(`https://${host}`), false, host);
});

test('a name that looks like code is escaped', () => {
  const { Markdown, HTML, Badge, 'Markdown image': image } = textsOf({ ...choice, title: hostile });
  for (const html of [Markdown, HTML]) {
    assert.doesNotMatch(html ?? '', /<script/);
    assert.match(html ?? '', /alt="&quot;&gt;&lt;script&gt;[^"]*&#39;q&#39; &amp; \{\{"/);
  }
  for (const markdown of [Badge, image])
    assert.match(
      markdown ?? '',
      /^\[!\[\\"\\>\\<script\\>.*\\\[x\\\]\\\(y\\\) \\`\\\*\\_ .*\]\(https:[^)\s]+\)\]\(https:[^)\s]+\)$/,
    );
});

test('only charts with a single value have a badge, with its label', () => {
  const other: EmbedChoice = {
    ...choice,
    subject: { kind: 'chart', charts: [{ pluginId: 1, chartId: 'wall' }], form: 'other' },
  };
  assert.equal(textsOf(other)['Badge'], undefined);
  const { Badge } = textsOf({ ...pie, label: ' top (os)' });
  assert.ok(Badge?.includes(`(${server}/badge/1337/os.svg?label=top+%28os%29)`));
});

test('a comparison has its charts, mode and axis, and a sum has a badge', () => {
  const charts = [1, 2].map((pluginId) => ({ pluginId, chartId: 'players' }));
  const lines = { kind: 'lines', charts, mode: 'indexed', axis: 'log' } as const;
  const compared: EmbedChoice = { ...choice, subject: lines, window: '7d' };
  const { URL, BBCode, Badge } = textsOf(compared);
  const query = 'charts=1:players,2:players&mode=indexed&axis=log&range=7d';
  assert.equal(URL, `${server}/embed/lines.svg?${query}`);
  assert.ok(BBCode?.startsWith(`[url=${server}/compare?${query}]`));
  assert.equal(Badge, undefined);
  const sum = textsOf({ ...compared, subject: { ...lines, mode: 'sum', axis: 'linear' } });
  assert.match(sum['Badge'] ?? '', /\/badge\/sum\.svg\?charts=1:players,2:players\)/);
});

test('pictures link to the page in the state that they show', () => {
  const linkIn = (of: EmbedChoice) => /^\[url=([^\]]*)\]/.exec(textsOf(of)['BBCode'] ?? '')?.[1];
  const shown = { window: '1y', view: 'history', unit: 'count' } as const;
  assert.equal(linkIn({ ...choice, ...shown }), `${page}?range=1y#players`);
  assert.equal(linkIn({ ...pie, ...shown }), `${page}?range=1y&view=history&unit=count#os`);
  const overview: EmbedChoice = { ...choice, subject: { kind: 'overview', pluginId: 1337 }, window: '7d' };
  assert.equal(linkIn(overview), `${page}?range=7d`);
});

test('only choices with an effect are offered', () => {
  const offered = (of: EmbedChoice, name: string) =>
    snippetsFor(of)
      .find((each) => each.name === name)
      ?.fields.join(' ');
  for (const name of ['URL', 'PNG', 'Tag']) assert.equal(offered(choice, name), 'theme size range previous');
  assert.equal(offered(choice, 'Badge'), 'label');
  assert.equal(offered(pie, 'HTML'), 'theme size view group');
  assert.equal(offered({ ...pie, view: 'history' }, 'HTML'), 'theme size range view unit group');
});

function textsOf(of: EmbedChoice): Record<string, string> {
  return Object.fromEntries(snippetsFor(of).map(({ name, text }) => [name, text]));
}
