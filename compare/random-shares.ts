/** Data and histories of random charts that are not lines. */
import type { Random } from '../sample/random.ts';
import { oddTexts } from './odd-texts.ts';
import { pick } from './queries.ts';
import { dayMs, newestTime } from './random-lines.ts';

/** A share of a chart; `group` for drilldown pies. */
interface Share {
  readonly group?: string;
  readonly name: string;
}

/** The types of which a history is kept. */
export const historyTypes = [
  'simple_pie',
  'advanced_pie',
  'drilldown_pie',
  'simple_map',
  'advanced_map',
  'simple_bar',
  'advanced_bar',
];

/** Types that have no form of their own. */
export const unknownTypes: readonly string[] = ['heat_map', 'word_cloud', 'a'];

/** Every type but lines. */
export const shareTypes = [...historyTypes, ...unknownTypes];

const countries = ['DE', 'US', 'FR', 'BR', 'CN', 'RU', 'AU', 'SE', 'PL', 'GB', 'XX', 'AQ', 'IO', 'ZZ'];
const versions = [
  '1.21.8',
  '1.21.4',
  '1.20.6',
  '1.20.10',
  '1.9',
  '1.8.8',
  'Java 21',
  'Java 8',
  '10',
  '9',
  'SNAPSHOT',
];

/** Shares of a chart of this type; the names are real ones, odd ones or numbered ones. */
export function randomShares(random: Random, type: string): readonly Share[] {
  const count = [0, 1, 2, 5, 12, 13, 30, 120, 700][random.below(9)] ?? 1;
  if (type.endsWith('_map')) return countries.slice(0, count).map((name) => ({ name }));
  const kind = random.below(3);
  const names = Array.from({ length: count }, (_, index) => {
    if (kind === 0) return versions[index] ?? `1.${index}`;
    if (kind === 1) return ['', ...oddTexts][index] ?? `odd ${index}`;
    return `Share ${index}`;
  });
  if (type !== 'drilldown_pie') return names.map((name) => ({ name }));
  return names.flatMap((group) =>
    Array.from({ length: 1 + random.below(count > 100 ? 2 : 13) }, (_, index) => ({
      group,
      name: `${index} ${group}`.slice(0, 200),
    })),
  );
}

/** The data of a chart as JSON text. */
export function randomData(random: Random, type: string, shares: readonly Share[]): string {
  const value = () => randomValue(random);
  switch (type) {
    case 'simple_pie':
    case 'advanced_pie':
      return `[${shares.map(({ name }) => `{"name":${JSON.stringify(name)},"y":${value()}}`).join()}]`;
    case 'simple_map':
    case 'advanced_map':
      return `[${shares.map(({ name }) => `{"code":"${name}","value":${value()}}`).join()}]`;
    case 'simple_bar':
      return `[${shares.map(({ name }) => `{"name":${JSON.stringify(name)},"data":[${value()}]}`).join()}]`;
    case 'advanced_bar': {
      const columns = [1, 2, 3, 14][random.below(4)] ?? 1;
      const data = () => Array.from({ length: columns }, value).join();
      return `[${shares.map(({ name }) => `{"name":${JSON.stringify(name)},"data":[${data()}]}`).join()}]`;
    }
    case 'drilldown_pie': {
      const groups = [...Map.groupBy(shares, ({ group = '' }) => group)];
      const values = groups.map(([, own]) => own.map(() => value()));
      const inner = groups.map(([group, own], index) => {
        const pairs = own.map(({ name }, at) => `[${JSON.stringify(name)},${values[index]?.[at]}]`);
        return `{"name":${JSON.stringify(group)},"id":${JSON.stringify(`id ${group}`)},"data":[${pairs.join()}]}`;
      });
      // An outer share is the sum of its inner ones.
      const outer = groups.map(([group], index) => {
        const sum = values[index]?.reduce((total, text) => total + Number(text), 0);
        return `{"name":${JSON.stringify(group)},"y":${sum},"drilldown":${JSON.stringify(`id ${group}`)}}`;
      });
      return `{"drilldownData":[${inner.join()}],"seriesData":[${outer.join()}]}`;
    }
    default:
      return unknownData(random, shares);
  }
}

/** Data without a form of its own: odd values, or a table of the shares. */
function unknownData(random: Random, shares: readonly Share[]): string {
  const odd = [
    '[]',
    '{}',
    '{"2":1,"1":[null,true],"__proto__":{"a":1.50}}',
    '[[1,2],[3,"\\u0041\\ud83d\\ude00"]]',
    '[{"name":"","y":1e3},{"name":null},7,"text",[[[[[[[[]]]]]]]]]',
  ];
  const row = ({ name }: Share) => ({ name, value: random.below(1000), more: { a: [name, null, true] } });
  return pick(random, odd.concat(JSON.stringify(shares.map(row)))).join();
}

/** Members `times` and `series` of a history record, or undefined for a chart without shares. */
export function randomHistory(random: Random, shares: readonly Share[]): string | undefined {
  if (shares.length === 0) return undefined;
  const stepMs = [dayMs / 48, dayMs / 24, dayMs / 4, dayMs, 7 * dayMs][random.below(5)] ?? dayMs;
  const count = 2 + random.below(shares.length > 40 ? 20 : 500);
  const start = newestTime - (count - 1) * stepMs - (random.below(3) === 0 ? 200 * dayMs : 0);
  const times = Array.from({ length: count }, (_, index) => start + index * stepMs).filter(
    () => random.next() > 0.05,
  );
  const series = shares.map(({ group, name }) => {
    const [first, last] = [random.below(times.length), times.length - random.below(3)];
    let level = random.below(1000);
    const values = times.map((_, index) => {
      level = Math.max(0, level + random.below(41) - 20);
      if (index < first * 0.6 || index > last) return 'null';
      return random.next() < 0.02 ? `${level}.25` : String(level);
    });
    const names = `${group === undefined ? '' : `"group":${JSON.stringify(group)},`}"name":${JSON.stringify(name)}`;
    return `{${names},"values":[${values.join()}]}`;
  });
  return `"times":[${times.join()}],"series":[${series.join()}]`;
}

function randomValue(random: Random): string {
  const whole = random.below(5000);
  switch (random.below(12)) {
    case 0:
      return '0';
    case 1:
      return (whole / 7).toFixed(3);
    case 2:
      return `${whole}.0`;
    case 3:
      return `${whole}e${random.below(6)}`;
    default:
      return String(whole);
  }
}
