/** The table of findings. */
import { type Demand, type Finding, isMet, type Question, type Unit } from './question.ts';

/** Findings of one question, or its failure. */
export interface Outcome {
  readonly question: Question;
  readonly findings: readonly Finding[];
  /** Reason for the failure. */
  readonly failure?: string;
}

const columns = ['#', 'question', 'figure', 'bound', ''] as const;

/** Renders findings as an aligned Markdown table, with notes below. */
export function markdownTable(outcomes: readonly Outcome[]): string {
  return alignedTable(columns, outcomes.flatMap(rowsOf), outcomes.flatMap(notesOf));
}

/** Renders a Markdown table with aligned columns, with notes below. */
export function alignedTable(
  header: readonly string[],
  found: readonly (readonly string[])[],
  notes: readonly string[],
): string {
  const rows = [header, header.map(() => ''), ...found];
  const widths = header.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row, index) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0, index === 1 ? '-' : ' ')).join(' | '),
  );
  return [...lines.map((line) => `| ${line} |`), '', ...notes].join('\n').trimEnd();
}

/** True if every finding meets its demand, and no question failed. */
export function allMet(outcomes: readonly Outcome[]): boolean {
  return outcomes.every(({ failure, findings }) => failure === undefined && findings.every(isMet));
}

function rowsOf({ question: { id, title }, findings, failure }: Outcome): string[][] {
  if (failure !== undefined) return [[id, title, '–', '–', 'failed']];
  return findings.map((finding) => {
    const { what, unit, figure, demand } = finding;
    const start = [id, `${title}: ${what}`, figureText(figure, unit)];
    if (demand === undefined) return [...start, '–', ''];
    return [...start, boundText(demand, unit), isMet(finding) ? 'met' : 'NOT MET'];
  });
}

function notesOf({ question: { id }, findings, failure }: Outcome): string[] {
  const notes = failure === undefined ? findings.flatMap((finding) => finding.notes ?? []) : [failure];
  return notes.map((note) => `- ${id}: ${note}`);
}

/** Renders the bound of a figure with its unit; without a unit, of a ratio. */
export function boundText({ kind, must }: Demand, unit?: Unit): string {
  return `${kind === 'at least' ? '≥' : '≤'} ${unit === undefined ? must.toFixed(2) : figureText(must, unit)}`;
}

/** Renders a figure with three significant digits, or with all its integer digits. */
export function figureText(figure: number, unit: Unit): string {
  const digits = figure < 10 ? 3 : figure < 100 ? 1 : 0;
  return figure.toLocaleString('en-US', { maximumFractionDigits: digits }) + unit;
}
