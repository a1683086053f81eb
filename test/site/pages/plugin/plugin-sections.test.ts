// What the page of a plugin says beside its charts: how it stands, its ladder of versions, its releases, and
// that it waits for data.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeStore } from '../../../http/support/test-server.ts';
import { chartRecord, dataRecord, pluginRecord, softwareRecord } from '../../../support/records.ts';
import { checkHtml } from '../support/html-check.ts';
import { serveSite } from '../support/site-client.ts';

const site = await serveSite();
const page = '/plugin/bukkit/ExamplePlugin/1337';

/** The text of the elements with a class, or of those of a name. */
function textsOf(body: string, pattern: RegExp): readonly string[] {
  return Array.from(body.matchAll(pattern), ([, inner = '']) =>
    inner
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
}

const rowsIn = (body: string, part: string) =>
  textsOf(body.split(part)[1]?.split('</table>')[0] ?? '', /<tr[^>]*>(.*?)<\/tr>/g);

async function insightsOfSample() {
  return JSON.parse((await site.get('/api/v2/plugins/1337/insights')).body);
}

describe('the head of the page', () => {
  test('says the place among the plugins of its software, and the newest release', async () => {
    const { body } = await site.get(page);
    const { standing } = await insightsOfSample();
    const [, card = ''] = /<h2>Standing<\/h2>(.*?)<\/section>/s.exec(body) ?? [];
    const [words] = textsOf(`<x>${card}</x>`, /<x>(.*?)<\/x>/gs);
    assert.equal(
      words,
      `No. ${standing.rank} of ${standing.of} on Bukkit / Spigot 2.4% of its servers Newest release 2.4.1 : 37% of servers after 63 days`,
    );
  });

  test('says nothing of the use of a release that is newer than the data', async () => {
    const other = await serveSite(
      await makeStore([
        softwareRecord(),
        pluginRecord(1, 'X'),
        chartRecord('servers', 1),
        chartRecord('pluginVersion', 2, { type: 'simple_pie' }),
        dataRecord('servers', [[Date.UTC(2026, 5, 30), 10]]),
        dataRecord('pluginVersion', [{ name: '1.0', y: 10 }]),
        { record: 'event', pluginId: 1, time: Date.UTC(2026, 6, 2), title: '1.1', url: null },
      ]),
    );
    const { body } = await other.get('/plugin/bukkit/X/1');
    assert.deepEqual(textsOf(body, /<p class="foot">(Newest release .*?)<\/p>/gs), [
      'Newest release 1.1 , 2 Jul 2026',
    ]);
  });

  test('offers everything as files, which are there, without script', async () => {
    const { body } = await site.get(page);
    const [, menu = ''] = /<details class="menu" name="menu">(.*?)<\/details>/s.exec(body) ?? [];
    const files = checkHtml(menu, site.url).flatMap(({ name, attributes }) =>
      name === 'a' && attributes.size > 0
        ? [[attributes.get('href') ?? '', attributes.get('download')] as const]
        : [],
    );
    assert.deepEqual(files, [
      ['/api/v2/plugins/1337/export.csv?bom=true', 'ExamplePlugin.csv'],
      ['/api/v2/plugins/1337/archive', 'ExamplePlugin.ndjson'],
      ['/api/v2/plugins/1337', 'ExamplePlugin.json'],
      ['/plugin/bukkit/ExamplePlugin/1337/feed.atom', undefined],
    ]);
    for (const [path] of files) assert.equal((await site.get(path)).status, 200, path);
  });
});

test('a chart may be called as a part of the page is', async () => {
  const names = ['zone', 'compared', 'main', 'adding', 'offered', 'plugins', 'choices', 'usage', 'ladder'];
  const charts = names.map((chartId, index) => chartRecord(chartId, index + 1));
  const other = await serveSite(
    await makeStore([
      softwareRecord(),
      pluginRecord(1, 'X'),
      ...charts,
      ...names.map((chartId) => dataRecord(chartId, [[1000, 1]])),
    ]),
  );
  const { body } = await other.get('/plugin/bukkit/X/1');
  const ids = Array.from(body.matchAll(/ id="([^"]*)"/g), ([, id]) => id);
  assert.ok(names.every((name) => ids.includes(name)));
  assert.equal(new Set(ids).size, ids.length);
});

describe('the ladder', () => {
  test('answers its question for the newest version that reaches most servers', async () => {
    const { body } = await site.get(page);
    const { versions } = await insightsOfSample();
    const [{ lines, total }] = versions;
    const place = lines.findIndex(({ atLeast }: { atLeast: number }) => atLeast >= 0.9);
    const reached = lines
      .slice(0, place + 1)
      .reduce((sum: number, { value }: { value: number }) => sum + value, 0);
    const percent = (share: number) => `${Math.round(share * 1000) / 10}%`;
    const [question = ''] = textsOf(body, /<form [^>]*data-ladder="[^"]*">(.*?)<\/form>/gs);
    const left = `${Math.round(total - reached)} servers (${percent(1 - lines[place].atLeast)})`;
    assert.match(question, /^Support from 26\.2 26\.1 1\.21 1\.20 1\.19 1\.16 1\.12 1\.8 on, and/);
    assert.ok(question.includes(`on, and ${left} are left behind ; 11% three months ago .`), question);
    assert.equal(/<option [^>]* selected>([^<]*)/.exec(body)?.[1], '1.20');
    const [about] = textsOf(body, /What may I drop\?<\/h3>\s*<p class="foot">(.*?)<\/p>/gs);
    assert.equal(about, 'Minecraft Version , 29 Jun 2026');
    const rows = rowsIn(body, 'What may I drop?');
    assert.equal(rows.length, 1 + lines.length);
    assert.deepEqual([rows[0], rows[4]], ['from reaches servers on&nbsp;it 90 days', '1.20 94% 214 −3.0 pp']);
  });

  test('takes another version from the address, which its form keeps the rest of', async () => {
    for (const [asked, chosen] of [
      ['1.19', '1.19'],
      ['26.2', '26.2'],
      ['1.18', '1.19'],
      ['99.0', '1.20'],
    ] as const) {
      const { body } = await site.get(`${page}?range=7d&atLeast=${asked}`);
      assert.equal(/<option [^>]* selected>([^<]*)/.exec(body)?.[1], chosen, asked);
      const [, form = ''] = /(<form [^>]*data-ladder="1\.20">.*?<\/form>)/s.exec(body) ?? [];
      assert.match(form, /action="\/plugin\/bukkit\/ExamplePlugin\/1337#-versions"/);
      assert.match(form, /<input type="hidden" name="range" value="7d">/);
      assert.doesNotMatch(form, /type="hidden" name="atLeast"/);
    }
    assert.equal((await site.get(`${page}?atLeast=none`)).status, 400);
  });

  test('cuts many versions, and says how many are older and how many are none', async () => {
    const names = [...Array.from({ length: 30 }, (_, index) => `1.${index}.0`), 'Unknown'];
    const other = await serveSite(
      await makeStore([
        softwareRecord(),
        pluginRecord(1, 'X'),
        chartRecord('minecraftVersion', 1, { type: 'simple_pie', isDefault: true }),
        dataRecord(
          'minecraftVersion',
          names.map((name) => ({ name, y: 10 })),
        ),
      ]),
    );
    const { body } = await other.get('/plugin/bukkit/X/1');
    const rows = rowsIn(body, 'What may I drop?');
    assert.equal(rows.length, 23);
    assert.deepEqual(rows.slice(-3), ['1.10 65% 10 –', '10 older 100', 'no version 10']);
    // None reaches 90 percent.
    assert.equal(/<option [^>]* selected>([^<]*)/.exec(body)?.[1], '1.10');
    assert.doesNotMatch(body, /Waiting for the first half hour/);
  });
});

describe('releases', () => {
  test('are a table with what each did, its page, and the weeks around it', async () => {
    const { body } = await site.get(page);
    const rows = rowsIn(body, 'id="-releases"');
    const { releases } = await insightsOfSample();
    assert.equal(rows.length, 1 + releases.length);
    assert.deepEqual(rows.slice(0, 2), [
      'release day servers, week before → after change used after 7 days 30 days now',
      '2.4.1 28 Apr 2026 2,373 → 2,416 +1.9% 16% 31% 37%',
    ]);
    assert.ok(
      body.includes('<a href="https://example.org/plugins/1337/releases/2.4.1" rel="external nofollow">'),
    );
    const [, around = ''] =
      /href="([^"]*)#-usage" data-set="from&#61;2026-04-14&#38;to&#61;2026-05-13"/.exec(body) ?? [];
    const address = around.replaceAll('&#61;', '=').replaceAll('&#38;', '&');
    assert.equal(address, `${page}?from=2026-04-14&to=2026-05-13`);
    const shown = await site.get(address);
    const [words] = textsOf(shown.body, /<p class="shown"[^>]*>(.*?)<\/p>/g);
    assert.equal(words, 'from 14 Apr 2026 until 13 May 2026 Back to 30 days');
  });

  test('and other sections without content are left out', async () => {
    const other = await serveSite(
      await makeStore([
        softwareRecord(),
        pluginRecord(1, 'X'),
        chartRecord('features', 1, { type: 'simple_pie' }),
        dataRecord('features', [{ name: 'a', y: 1 }]),
      ]),
    );
    const { body } = await other.get('/plugin/bukkit/X/1');
    const sections = [...body.matchAll(/<section class="part" id="([^"]*)"/g)].map(([, id]) => id);
    assert.deepEqual(sections, ['-own']);
    assert.doesNotMatch(body, /class="figures"|aria-label="Versions"|aria-label="Period before"|data-age/);
  });
});

describe('a plugin without data', () => {
  const waiting = [
    softwareRecord(),
    pluginRecord(2, 'Sky "Vaults"'),
    chartRecord('servers', 1, { pluginId: 2 }),
    chartRecord('os', 2, { pluginId: 2, type: 'simple_pie' }),
    pluginRecord(3, 'None'),
  ];

  test('says what is awaited, its id and how to try it, in words that can be kept', async () => {
    const empty = await serveSite(await makeStore(waiting));
    const { body } = await empty.get('/plugin/bukkit/Sky%20%22Vaults%22/2');
    checkHtml(body, empty.url);
    assert.match(body, /Waiting for the first half hour/);
    assert.match(body, /at :00 and :30/);
    assert.match(body, /the id <b>2<\/b>/);
    const [, command = ''] = /<pre>(.*?)<\/pre>/s.exec(body) ?? [];
    const [, report = ''] =
      /--data '(.*)'$/.exec(command.replaceAll('&#34;', '"').replaceAll('&#39;', "'")) ?? [];
    assert.match(command, /^curl COLLECTOR\/api\/v2\/data\/bukkit /);
    assert.deepEqual(JSON.parse(report).service, { id: 2 });
    assert.doesNotMatch(body, /<plugin-chart|class="toolbar"|no charts yet/);
    const none = await empty.get('/plugin/bukkit/None/3');
    assert.match(none.body, /no charts yet.*<code>plugin-metrics add charts 3<\/code>/);
  });

  test('shows its charts once a slot has ended, also one in which nobody reported', async () => {
    for (const [record, isNobody] of [
      [dataRecord('servers', [[Date.UTC(2026, 5, 30), 0]], { pluginId: 2 }), true],
      [dataRecord('os', [], { pluginId: 2 }), false],
    ] as const) {
      const some = await serveSite(await makeStore([...waiting, record]));
      const { body } = await some.get('/plugin/bukkit/Sky%20%22Vaults%22/2');
      assert.doesNotMatch(body, /Waiting for/);
      assert.match(body, /<plugin-chart plugin="2" chart="servers"/);
      assert.equal(body.includes('Nobody reported in the newest half hour.'), isNobody);
    }
  });
});
