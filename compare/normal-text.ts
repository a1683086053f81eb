/**
 * Texts without what differs between two runs of the same program: times, rates, ports and sizes of files.
 */

type Rule = readonly [pattern: RegExp, replacement: string];

const outputRules: readonly Rule[] = [
  [/in \d+\.\d+ s\b/g, 'in SECONDS s'],
  [/\([\d,]+ (points|records|bytes)\/s\)/g, '(RATE $1/s)'],
  [/(http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])):\d+/g, '$1:PORT'],
  [/(at most |now \()\d{4}-\d\d-\d\dT[\d:.]+Z/g, '$1TIME'],
  // The size of a store is that of its file.
  [/"bytes":\d+/g, '"bytes":SIZE'],
  [/^(bytes +)[\d,]+$/gm, '$1SIZE'],
  // The name of a file until it is complete.
  [/\.(partial|new)-\d+/g, '.$1-NUMBER'],
  [/"(bodyBytes|durationMs)":[\d.]+/g, '"$1":NUMBER'],
  [/"time":"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"time":"TIME"'],
];

// The name of a browser file changes with its content, which is compared by itself.
const nameRules: readonly Rule[] = [[/(\/[a-z-]+-)[A-Z0-9]{8}(?=\.(?:js|css))/g, '$1HASH']];

const metricRules: readonly Rule[] = [
  // What Node holds open and which garbage it has collected differ from run to run, and so do the labels for
  // them.
  [/^nodejs_\w+\{.*\n/gm, ''],
  // A value, behind its name and labels.
  [/^(\w+(?:\{.*\})?) \S+$/gm, '$1 VALUE'],
];

/** The text of metrics. */
export function normalMetrics(text: string): string {
  return applied(metricRules, text);
}

/** The output of a command. */
export function normalOutput(text: string): string {
  return applied(outputRules, text);
}

/** A body, a path or a header that may name files of pages. */
export function normalNames(text: string): string {
  return applied(nameRules, text);
}

function applied(rules: readonly Rule[], text: string): string {
  return rules.reduce((result, [pattern, replacement]) => result.replaceAll(pattern, replacement), text);
}
