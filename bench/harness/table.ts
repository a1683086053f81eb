/** The table of findings: for a terminal and for a page. */
import { type Demand, type Finding, isMet, type Question, type Unit } from '../question.ts';

/** What came of one question. */
export interface Outcome {
  readonly question: Question;
  readonly findings: readonly Finding[];
  /** Why there are no findings. */
  readonly failure?: string;
}

const columns = ['#', 'question', 'ours', 'limit', 'ratio', 'must', 'aim', ''] as const;

/** The table with aligned columns, and the notes below. */
export function terminalTable(outcomes: readonly Outcome[]): string {
  const rows = [[...columns], ...outcomes.flatMap(rowsOf)];
  const widths = columns.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [...lines, '', ...noteLines(outcomes)].join('\n').trimEnd();
}

/** The table in Markdown, and the notes below. */
export function markdownTable(outcomes: readonly Outcome[]): string {
  const row = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const lines = [
    row(columns),
    `|${columns.map(() => '---').join('|')}|`,
    ...outcomes.flatMap(rowsOf).map(row),
  ];
  return [...lines, '', ...noteLines(outcomes).map((line) => `- ${line}`)].join('\n').trimEnd();
}

/** Whether every finding meets its demand, and every question has one. */
export function allMet(outcomes: readonly Outcome[]): boolean {
  return outcomes.every(
    ({ failure, findings }) =>
      failure === undefined && findings.every((finding) => finding.isCalculated || isMet(finding)),
  );
}

function rowsOf({ question, findings, failure }: Outcome): string[][] {
  if (failure !== undefined) return [[question.id, question.title, '–', '–', '–', '–', '–', 'failed']];
  return findings.map((finding) => {
    const { what, unit, ours, limit, demand } = finding;
    return [
      question.id,
      what === '' ? question.title : `${question.title}: ${what}`,
      figureText(ours, unit),
      limit === undefined ? '–' : figureText(limit, unit),
      limit === undefined ? '–' : (ours / limit).toFixed(2),
      boundText(demand, demand.must, unit),
      boundText(demand, demand.aim, unit),
      verdict(finding),
    ];
  });
}

function verdict(finding: Finding): string {
  if (finding.isCalculated) return 'calculated';
  return isMet(finding) ? 'met' : 'NOT MET';
}

function noteLines(outcomes: readonly Outcome[]): string[] {
  return outcomes.flatMap(({ question, findings, failure }) => [
    ...(failure === undefined ? [] : [`${question.id}: failed: ${failure}`]),
    ...findings.flatMap(({ notes = [] }) => notes.map((note) => `${question.id}: ${note}`)),
  ]);
}

function boundText({ of, kind }: Demand, bound: number, unit: Unit): string {
  const sign = kind === 'at least' ? '≥' : '≤';
  return `${sign} ${of === 'ratio' ? bound.toFixed(2) : figureText(bound, unit)}`;
}

/** A figure with its unit, with three digits that matter. */
export function figureText(figure: number, unit: Unit): string {
  switch (unit) {
    case 'requests/s':
      return `${grouped(figure, 0)}/s`;
    case 'requests/CPU s':
      return `${grouped(figure, 0)}/CPU s`;
    case 'points/s':
      return `${grouped(figure / 1e6, 2)} M/s`;
    case 'ms':
    case 's':
      return `${grouped(figure, figure < 10 ? 2 : 0)} ${unit}`;
    case 'MB':
      return `${grouped(figure, 0)} MB`;
    case 'bytes/point':
      return `${figure.toFixed(3)} B`;
  }
}

function grouped(figure: number, digitCount: number): string {
  return figure.toLocaleString('en-US', { maximumFractionDigits: digitCount });
}
