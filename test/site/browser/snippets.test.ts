// The snippets of the Embed dialog.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { badgeLook, type EmbedChoice, pictureUrl } from '../../../src/site/browser/embed-choice.ts';
import { snippetsFor } from '../../../src/site/browser/snippets.ts';

const choice: EmbedChoice = {
  origin: 'https://metrics.example.org',
  pageUrl: 'https://metrics.example.org/plugin/bukkit/ExamplePlugin/1337#players',
  subject: { kind: 'chart', pluginId: '1337', chartId: 'players', form: 'line' },
  title: 'Players on servers using ExamplePlugin',
  theme: 'auto',
  width: 800,
  height: 300,
  window: '30d',
  view: 'now',
  unit: 'percent',
  ...badgeLook,
};

const pie: EmbedChoice = {
  ...choice,
  subject: { kind: 'chart', pluginId: '1337', chartId: 'os', form: 'pie' },
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
      '[url=https://metrics.example.org/plugin/bukkit/ExamplePlugin/1337#players][img]https://metrics.example.org/embed/1337/players.png?theme=light[/img][/url]',
    Tag: `<script type="module" src="https://metrics.example.org/embed.js"></script>
<plugin-chart plugin="1337" chart="players" range="30d" theme="auto"></plugin-chart>`,
    Badge:
      '[![Players on servers using ExamplePlugin](https://metrics.example.org/badge/1337/players.svg)](https://metrics.example.org/plugin/bukkit/ExamplePlugin/1337#players)',
    URL: 'https://metrics.example.org/embed/1337/players.svg',
    PNG: 'https://metrics.example.org/embed/1337/players.png?theme=light',
  });
});

test('choices are in the address, and defaults are not', () => {
  const dark = { ...choice, theme: 'dark', width: 1200, height: 400, window: '1y' } as const;
  const url = 'https://metrics.example.org/embed/1337/players.svg?range=1y&theme=dark&width=1200&height=400';
  assert.equal(pictureUrl(dark, 'svg'), url);
  const { Markdown, Tag, HTML } = textsOf(dark);
  assert.match(
    Markdown ?? '',
    /^<a href="[^"]*">\n<img alt="[^"]*" src="[^"]*\?range=1y&amp;theme=dark[^"]*">\n<\/a>$/,
  );
  assert.match(HTML ?? '', /width="1200" height="400"/);
  assert.match(Tag ?? '', / range="1y" theme="dark" height="440">/);
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

test('only charts with a single value have a badge, with its label, colour and style', () => {
  const other: EmbedChoice = {
    ...choice,
    subject: { kind: 'chart', pluginId: '1', chartId: 'wall', form: 'other' },
  };
  assert.equal(textsOf(other)['Badge'], undefined);
  const { Badge } = textsOf({ ...pie, label: 'top (os)', color: 'red', style: 'plastic' });
  assert.ok(
    Badge?.includes(
      '(https://metrics.example.org/badge/1337/os.svg?label=top+%28os%29&color=red&style=plastic)',
    ),
  );
});

test('shares over time have their view and unit, and only then a range', () => {
  assert.equal(pictureUrl({ ...pie, window: '1y' }, 'svg'), 'https://metrics.example.org/embed/1337/os.svg');
  assert.match(textsOf(pie)['Tag'] ?? '', /<plugin-chart plugin="1337" chart="os" theme="auto">/);
  const past: EmbedChoice = { ...pie, view: 'history', unit: 'count', window: '1y' };
  assert.equal(
    pictureUrl(past, 'svg'),
    'https://metrics.example.org/embed/1337/os.svg?view=history&unit=count&range=1y',
  );
  assert.match(textsOf(past)['Tag'] ?? '', / range="1y" view="history" unit="count" theme="auto">/);
});

test('tags and pictures can show two dates', () => {
  const window = { from: Date.UTC(2026, 4, 1), to: Date.UTC(2026, 4, 9) };
  const { Tag, URL } = textsOf({ ...choice, window });
  assert.match(Tag ?? '', / from="2026-05-01" to="2026-05-09" theme/);
  assert.equal(URL, 'https://metrics.example.org/embed/1337/players.svg?from=2026-05-01&to=2026-05-09');
});

test('the picture of servers and players has no tag and no badge, and shows 7 days without a range', () => {
  const readme: EmbedChoice = {
    ...choice,
    subject: { kind: 'overview', pluginId: '1337' },
    window: '7d',
  };
  const texts = textsOf(readme);
  assert.deepEqual(Object.keys(texts), ['Markdown', 'Markdown image', 'HTML', 'BBCode', 'URL', 'PNG']);
  assert.equal(texts['URL'], 'https://metrics.example.org/embed/1337.svg');
  assert.equal(
    pictureUrl({ ...readme, window: '30d' }, 'svg'),
    'https://metrics.example.org/embed/1337.svg?range=30d',
  );
});

test('a comparison has its charts, mode and axis, and a sum has a badge', () => {
  const lines = { kind: 'lines', charts: '1:players,2:players', mode: 'indexed', axis: 'log' } as const;
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

test('only choices with an effect are offered', () => {
  const offered = (of: EmbedChoice, name: string) => {
    const snippet = snippetsFor(of).find((each) => each.name === name);
    return [snippet?.options.join(' '), snippet?.themes.join(' ')];
  };
  assert.deepEqual(offered(choice, 'URL'), ['theme size range', 'auto light dark transparent']);
  assert.deepEqual(offered(choice, 'PNG'), ['theme size range', 'light dark transparent']);
  assert.deepEqual(offered(choice, 'Tag'), ['theme size range', 'auto light dark']);
  assert.equal(offered(choice, 'Badge')[0], 'badge');
  assert.equal(offered(pie, 'HTML')[0], 'theme size view');
  assert.equal(offered({ ...pie, view: 'history' }, 'HTML')[0], 'theme size range view unit');
});

function textsOf(of: EmbedChoice): Record<string, string> {
  return Object.fromEntries(snippetsFor(of).map(({ name, text }) => [name, text]));
}
