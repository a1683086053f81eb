/**
 * The report for people: differences by their cause, with a count, an example and where else they are. The
 * same findings give the same text.
 */
import type { Finding, Findings } from './findings.ts';
import { type Difference, isBytes } from './outcome.ts';

const contextLength = 60;
/** The most characters of a text that is shown whole. */
const shortLength = 100;
/** The most characters of a change by which differences of one cause are recognised. */
const changeLength = 40;

/**
 * Renders the report; the last line sums it up.
 * @param isWhole true if everything was compared, so that each difference that is meant must have shown
 */
export function renderReport(findings: Findings, { isWhole }: { readonly isWhole: boolean }): string {
  const { found, askedCount, meantCount } = findings;
  const unused = isWhole ? findings.unused : [];
  const causes = groupByCause(found);
  const notes = unused.map(
    ({ asked, part, reason }) => `note: ${asked} differs nowhere in its ${part}, which was meant: ${reason}`,
  );
  const meant = meantCount === 0 ? '' : `, ${meantCount} differences are meant`;
  const sum =
    found.length === 0 ? 'nothing differs' : `${found.length} differences of ${causes.length} causes`;
  return [
    ...causes.flatMap(renderCause),
    ...notes,
    `${askedCount.toLocaleString('en')} requests and commands: ${sum}${meant}`,
    '',
  ].join('\n');
}

function renderCause([cause, members]: Cause): readonly string[] {
  const [example] = members;
  if (example === undefined) return [];
  return [
    `${members.length} × ${members.length === 1 ? changeOf(example) : cause}`,
    `  ${shorten(example.asked, 200)}`,
    ...placeOf(example),
    ...(members.length === 1 ? [] : [`  in ${kindsOf(members)}`]),
    '',
  ];
}

/** A cause, and what it changed. */
type Cause = readonly [cause: string, members: readonly Finding[]];

/**
 * Groups findings that have one cause, most likely: the same text became the same other text. The others are
 * grouped by kind.
 */
function groupByCause(found: readonly Finding[]): readonly Cause[] {
  const sorted = [...found].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  const byChange = Map.groupBy(sorted, changeOf);
  const causes = Map.groupBy(sorted, (finding) => {
    const change = changeOf(finding);
    return byChange.get(change)?.length === 1 ? `${finding.part} of ${finding.kind}` : change;
  });
  // Those of one size keep the order of what was asked.
  return [...causes].sort(([, one], [, other]) => other.length - one.length);
}

function keyOf({ asked, part }: Finding): string {
  return `${asked} ${part}`;
}

/**
 * The part, and the words that changed: all of a short text; otherwise from the first that differs, with N
 * for numbers.
 */
function changeOf({ part, earlier, present }: Difference): string {
  if (isBytes(earlier) && isBytes(present)) return `${part}: other bytes`;
  const isShort = isShownWhole({ part, earlier, present });
  const start = isShort ? 0 : earlier.slice(0, firstDifference(earlier, present)).search(/\w*$/);
  const common = isShort ? 0 : commonEnd(earlier.slice(start), present.slice(start));
  // Words are shown whole.
  const end = earlier.slice(earlier.length - common).replace(/^\w+/, '').length;
  const [one, other] = [earlier, present].map((text) => {
    const changed = text.slice(start, Math.min(start + changeLength, text.length - end));
    return JSON.stringify(isShort ? text : changed.replaceAll(/\d+/g, 'N'));
  });
  return `${part}: ${one} is now ${other}`;
}

/** The first place that differs, with what is around it; nothing where the cause says it all. */
function placeOf({ part, earlier, present }: Difference): readonly string[] {
  if (isShownWhole({ part, earlier, present })) return [];
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

function isShownWhole({ part, earlier, present }: Difference): boolean {
  return part !== 'body' && earlier.length <= shortLength && present.length <= shortLength;
}

function firstDifference(earlier: string, present: string): number {
  let at = 0;
  while (at < earlier.length && earlier[at] === present[at]) at++;
  return at;
}

function commonEnd(earlier: string, present: string): number {
  const most = Math.min(earlier.length, present.length);
  let length = 0;
  while (length < most && earlier.at(-1 - length) === present.at(-1 - length)) length++;
  return length;
}

function kindsOf(members: readonly Finding[]): string {
  const counts = [...Map.groupBy(members, ({ kind }) => kind)].map(
    ([kind, some]) => `${some.length} of ${kind}`,
  );
  return shorten(counts.join(', '), 300);
}

function shorten(text: string, length: number): string {
  const line = text.replaceAll(/[^\x20-\x7e\xa0-\u{10ffff}]/gu, (character) =>
    JSON.stringify(character).slice(1, -1),
  );
  return line.length > length ? `${line.slice(0, length)}…` : line;
}
