/** Data and histories of random charts that are not lines. */
import { dayMs, newestTime } from './odd-lines.ts';
import { oddTexts } from './odd-texts.ts';
import type { Random } from './random.ts';
import { historyMembers, type ShareName, sharesData } from './shares.ts';

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

/** Every type but lines; the last ones have no form of their own. */
export const shareTypes = [...historyTypes, 'heat_map', 'word_cloud', 'a'];

const countries = 'DE US FR BR CN RU AU SE PL GB XX AQ IO ZZ'.split(' ');
const versions = '1.21.8,1.21.4,1.20.6,1.20.10,1.9,1.8.8,Java 21,Java 8,10,9,SNAPSHOT'.split(',');

/** Shares of a chart of this type; the names are real ones, odd ones or numbered ones. */
export function randomShares(random: Random, type: string): readonly ShareName[] {
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
export function randomData(random: Random, type: string, shares: readonly ShareName[]): string {
  if (!historyTypes.includes(type)) return unknownData(random, shares);
  const columnCount = type === 'advanced_bar' ? ([1, 2, 3, 14][random.below(4)] ?? 1) : 1;
  const value = () => Array.from({ length: columnCount }, () => randomValue(random)).join();
  const valued = shares.map((share) => ({ ...share, value: value() }));
  return sharesData(type, valued, (group) => `id ${group}`);
}

/** Data without a form of its own: odd values, or a table of the shares. */
function unknownData(random: Random, shares: readonly ShareName[]): string {
  const odd = [
    '[]',
    '{}',
    '{"2":1,"1":[null,true],"__proto__":{"a":1.50}}',
    '[[1,2],[3,"\\u0041\\ud83d\\ude00"]]',
    '[{"name":"","y":1e3},{"name":null},7,"text",[[[[[[[[]]]]]]]]]',
  ];
  const row = ({ name }: ShareName) => ({ name, value: random.below(1000), more: { a: [name, null, true] } });
  return odd[random.below(odd.length + 1)] ?? JSON.stringify(shares.map(row));
}

/** The members of a history record, or undefined for a chart without shares. */
export function randomHistory(random: Random, shares: readonly ShareName[]): string | undefined {
  if (shares.length === 0) return undefined;
  const stepMs = [dayMs / 48, dayMs / 24, dayMs / 4, dayMs, 7 * dayMs][random.below(5)] ?? dayMs;
  const count = 2 + random.below(shares.length > 40 ? 20 : 500);
  const start = newestTime - (count - 1) * stepMs - (random.below(3) === 0 ? 200 * dayMs : 0);
  const times = Array.from({ length: count }, (_, index) => start + index * stepMs).filter(
    () => random.next() > 0.05,
  );
  const series = shares.map((share) => {
    const [first, last] = [random.below(times.length), times.length - random.below(3)];
    let level = random.below(1000);
    const values = times.map((_, index) => {
      level = Math.max(0, level + random.below(41) - 20);
      if (index < first * 0.6 || index > last) return null;
      return random.next() < 0.02 ? `${level}.25` : level;
    });
    return { ...share, values };
  });
  return historyMembers(times, series);
}

function randomValue(random: Random): string {
  const whole = random.below(5000);
  const forms = ['0', (whole / 7).toFixed(3), `${whole}.0`, `${whole}e${random.below(6)}`];
  return forms[random.below(12)] ?? String(whole);
}
