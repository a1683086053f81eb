// The snippets of the Embed dialog.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EmbedChoice, snippetsFor } from '../../../src/site/browser/snippets.ts';

const choice: EmbedChoice = {
  origin: 'https://metrics.example.org',
  pagePath: '/plugin/bukkit/ExamplePlugin/1337',
  subject: { kind: 'chart', pluginId: 1337, chartId: 'players', form: 'line' },
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
  subject: { kind: 'chart', pluginId: 1337, chartId: 'os', form: 'pie' },
};

const hostile = `"><script>alert(1)</script> [x](y) \`*_ 'q' & {{`;

test('every format gives exactly this snippet', () => {
  assert.deepEqual(textsOf(choice), {
    Markdown: `<a href="https://metrics.example.org/plugin/bukkit/ExamplePlugin/1337#players">
<picture>
  <source media="(prefers-color-scheme: dark)" srcset="https://metrics.example.org/embed/1337/players.svg?theme=dark">
  <img alt="Players on servers using ExamplePlugin" src="https://metrics.example.org/embed/1337/players.svg?theme=light">
</picture>
</a>`,
    'Markdown image':
      '[![Players on servers using ExamplePlugin](https://metrics.example.org/embed/1337/players.svg)](https://metrics.example.org/plugin/bukkit/ExamplePlugin/1337#players)',
    HTML: '<a href="https://metrics.example.org/plugin/bukkit/ExamplePlugin/1337#players"><img src="https://metrics.example.org/embed/1337/players.svg" width="800" height="300" alt="Players on servers using ExamplePlugin" loading="lazy"></a>',
    BBCode:
      '[url=https://metrics.example.org/plugin/bukkit/ExamplePlugin/1337#players][img]https://metrics.example.org/embed/1337/players.png[/img][/url]',
    Tag: `<script type="module" src="https://metrics.example.org/embed.js"></script>
<plugin-chart plugin="1337" chart="players" theme="auto"></plugin-chart>`,
    Badge:
      '[![Players on servers using ExamplePlugin](https://metrics.example.org/badge/1337/players.svg)](https://metrics.example.org/plugin/bukkit/ExamplePlugin/1337#players)',
    URL: 'https://metrics.example.org/embed/1337/players.svg',
    PNG: 'https://metrics.example.org/embed/1337/players.png',
  });
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
    subject: { kind: 'chart', pluginId: 1, chartId: 'wall', form: 'other' },
  };
  assert.equal(textsOf(other)['Badge'], undefined);
  const { Badge } = textsOf({ ...pie, label: ' top (os)' });
  assert.ok(Badge?.includes('(https://metrics.example.org/badge/1337/os.svg?label=top+%28os%29)'));
});

test('a comparison has its charts, mode and axis, and a sum has a badge', () => {
  const charts = [1, 2].map((pluginId) => ({ pluginId, chartId: 'players' }));
  const lines = { kind: 'lines', charts, mode: 'indexed', axis: 'log' } as const;
  const compared: EmbedChoice = { ...choice, subject: lines, window: '7d' };
  const { URL, Badge } = textsOf(compared);
  assert.equal(
    URL,
    'https://metrics.example.org/embed/lines.svg?charts=1:players,2:players&mode=indexed&axis=log&range=7d',
  );
  assert.equal(Badge, undefined);
  const sum = textsOf({ ...compared, subject: { ...lines, mode: 'sum', axis: 'linear' } });
  assert.match(sum['Badge'] ?? '', /\/badge\/sum\.svg\?charts=1:players,2:players\)/);
});

test('pictures link to the page in the state that they show', () => {
  const linkIn = (of: EmbedChoice) => /^\[url=([^\]]*)\]/.exec(textsOf(of)['BBCode'] ?? '')?.[1];
  const page = 'https://metrics.example.org/plugin/bukkit/ExamplePlugin/1337';
  const shown = { window: '1y', view: 'history', unit: 'count' } as const;
  assert.equal(linkIn({ ...choice, ...shown }), `${page}?range=1y#players`);
  assert.equal(linkIn({ ...pie, ...shown }), `${page}?range=1y&view=history&unit=count#os`);
  const overview: EmbedChoice = { ...choice, subject: { kind: 'overview', pluginId: 1337 }, window: '7d' };
  assert.equal(linkIn(overview), `${page}?range=7d`);
  const charts = [1, 2].map((pluginId) => ({ pluginId, chartId: 'players' }));
  assert.equal(
    linkIn({ ...choice, subject: { kind: 'lines', charts, mode: 'indexed', axis: 'log' }, window: '7d' }),
    'https://metrics.example.org/compare?charts=1:players,2:players&mode=indexed&axis=log&range=7d',
  );
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
