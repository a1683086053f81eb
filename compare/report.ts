/** The report for people: differences by their cause, the first few of each. */
import type { Finding, Findings } from './findings.ts';

const shownPerCause = 3;
const shownCauses = 40;
const contextLength = 60;
const shortLength = 100;
/** Characters of a long text by which differences of one cause are recognised. */
const changeLength = 20;

/**
 * Renders the report; the last line sums it up.
 * @param isWhole true if everything was compared, so that each difference that is meant must have shown
 */
export function renderReport(findings: Findings, { isWhole }: { readonly isWhole: boolean }): string {
  const { found, askedCount, meantCount } = findings;
  const unused = isWhole ? findings.unused : [];
  const causes = groupByCause(found);
  const lines = causes
    .slice(0, shownCauses)
    .flatMap((members) => [
      `${headingOf(members)}: ${members.length}`,
      ...members
        .slice(0, shownPerCause)
        .flatMap((finding) => [`  ${shorten(finding.asked, 200)}`, ...placeOf(finding)]),
      ...(members.length > shownPerCause
        ? [`  … and ${members.length - shownPerCause} more: ${kindsOf(members.slice(shownPerCause))}`]
        : []),
      '',
    ]);
  if (causes.length > shownCauses) lines.push(`… and ${causes.length - shownCauses} more causes`, '');
  const notes = unused.map(
    ({ asked, part, reason }) => `note: ${asked} differs nowhere in its ${part}, which was meant: ${reason}`,
  );
  const meant = meantCount === 0 ? '' : `, ${meantCount} differences are meant`;
  const sum =
    found.length === 0 ? 'nothing differs' : `${found.length} differences of ${causes.length} causes`;
  return [
    ...lines,
    ...notes,
    `${askedCount.toLocaleString('en')} requests and commands: ${sum}${meant}`,
    '',
  ].join('\n');
}

/** Groups findings that have one cause, most likely: the same text became the same other text. The others are grouped by kind. */
function groupByCause(found: readonly Finding[]): readonly (readonly Finding[])[] {
  const byText = [...Map.groupBy(found, changeOf).values()];
  const alone = byText.filter(({ length }) => length === 1).flat();
  const byKind = Map.groupBy(alone, ({ part, kind }) => `${part} of ${kind}`).values();
  return [...byText.filter(({ length }) => length > 1), ...byKind].sort((a, b) => b.length - a.length);
}

function headingOf(members: readonly Finding[]): string {
  const [first] = members;
  if (first === undefined) return '';
  const isOne = members.every((finding) => changeOf(finding) === changeOf(first));
  return isOne ? changeOf(first) : `${first.part} of ${first.kind}`;
}

/** The part, and a few characters from the first that differs on: the whole of a short text. */
function changeOf({ part, earlier, present }: Finding): string {
  const isShort = earlier.length <= shortLength && present.length <= shortLength;
  const start = isShort ? 0 : firstDifference(earlier, present);
  const length = isShort ? shortLength : changeLength;
  const [one, other] = [earlier, present].map((text) => JSON.stringify(text.slice(start, start + length)));
  return `${part}: ${one} is now ${other}`;
}

/** The first place that differs, with what is around it; nothing where the heading says it all. */
function placeOf({ earlier, present }: Finding): readonly string[] {
  if (earlier.length <= shortLength && present.length <= shortLength) return [];
  const at = firstDifference(earlier, present);
  const start = Math.max(0, at - contextLength);
  const around = (text: string) =>
    JSON.stringify(`${start > 0 ? '…' : ''}${text.slice(start, at + contextLength)}`);
  return [
    `    at ${at} of ${earlier.length} and ${present.length} characters`,
    `    earlier ${around(earlier)}`,
    `    present ${around(present)}`,
  ];
}

function firstDifference(earlier: string, present: string): number {
  let at = 0;
  while (at < earlier.length && earlier[at] === present[at]) at++;
  return at;
}

function kindsOf(members: readonly Finding[]): string {
  const counts = [...Map.groupBy(members, ({ kind }) => kind)].map(
    ([kind, some]) => `${some.length} of ${kind}`,
  );
  return shorten(counts.join(', '), 200);
}

function shorten(text: string, length: number): string {
  const line = text.replaceAll(/[^\x20-\x7e\xa0-\u{10ffff}]/gu, (character) =>
    JSON.stringify(character).slice(1, -1),
  );
  return line.length > length ? `${line.slice(0, length)}…` : line;
}
