// The snippets of the Embed dialog.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EmbedChoice, pictureUrl, snippetsFor } from '../../../src/site/browser/snippets.ts';

const choice: EmbedChoice = {
  origin: 'https://metrics.example.org',
  pageUrl: 'https://metrics.example.org/plugin/bukkit/ExamplePlugin/1337#players',
  pluginId: '1337',
  chartId: 'players',
  form: 'line',
  title: 'Players on servers using ExamplePlugin',
  theme: 'auto',
  width: 800,
  height: 300,
  range: '30d',
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
  });
});

test('choices are in the address, and defaults are not', () => {
  const dark = { ...choice, theme: 'dark', width: 1200, height: 400, range: '1y' } as const;
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

test('only charts with a single value have a badge, and only lines have a range', () => {
  const names = (form: string) => Object.keys(textsOf({ ...choice, form, range: '' }));
  assert.ok(names('drilldown').includes('Badge'));
  assert.ok(!names('other').includes('Badge'));
  assert.doesNotMatch(textsOf({ ...choice, form: 'pie', range: '' })['Tag'] ?? '', /range/);
});

function textsOf(of: EmbedChoice): Record<string, string> {
  return Object.fromEntries(snippetsFor(of).map(({ name, text }) => [name, text]));
}
