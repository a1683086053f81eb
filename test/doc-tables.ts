/**
 * The tables in the documentation that are generated from the code. `node test/doc-tables.ts` writes them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { recordShapes } from '../src/archive/parse-record.ts';
import { environmentName, optionText, type Setting } from '../src/cli/command.ts';
import { commands } from '../src/cli/program.ts';
import { collectingMetrics, mirroringMetrics, servingMetrics } from './support/defined-metrics.ts';

/** The documents with such tables, relative to the checkout. */
export const documentsWithTables: readonly string[] = [
  'docs/archive.md',
  'docs/collecting.md',
  'docs/command-line.md',
  'docs/mirroring.md',
  'docs/server.md',
];

/** A table is between `<!-- NAME: … -->` and `<!-- /NAME -->`. */
const tables: Readonly<Record<string, () => string>> = {
  commands: commandsTable,
  settings: settingsTable,
  records: recordsTable,
  metrics: () => metricsTable(servingMetrics),
  collecting: () => metricsTable(collectingMetrics),
  mirroring: () => metricsTable(mirroringMetrics),
};

/** Reads a document of the checkout. */
export function readDocument(name: string): string {
  return readFileSync(urlOf(name), 'utf8');
}

/** Replaces the tables of a document by what the code gives now; throws for an unknown table. */
export function withTables(document: string): string {
  const starts = document.match(/^<!-- \w+: /gm) ?? [];
  const places = [...document.matchAll(/^(<!-- (\w+): .* -->\n)[\s\S]*?^(<!-- \/\2 -->)$/gm)];
  if (places.length === 0 || places.length !== starts.length)
    throw new Error('a table has no end, or there is none');
  return places.reduce((text, [place, start, name = '', end]) => {
    const write = tables[name];
    if (write === undefined) throw new Error(`there is no table ${name}`);
    return text.replace(place, () => `${start}\n${write()}\n${end}`);
  }, document);
}

/** Every command with its argument. */
function commandsTable(): string {
  const cells = Object.entries(commands).map(([name, { argumentName = '', summary }]) => [
    `\`${`${name} ${argumentName.replaceAll(/[<>]/g, '')}`.trim()}\``,
    summary,
  ]);
  return markdownTable(['command', 'does'], cells);
}

/** Every setting, beginning with those of the most commands and of the commands that have the most. */
function settingsTable(): string {
  const byCount = Object.entries(commands)
    .map(([command, { settings }]) => ({ command, list: Object.entries(settings) }))
    .sort((one, other) => other.list.length - one.list.length);
  const rows = new Map<
    string,
    { readonly key: string; readonly setting: Setting; readonly commands: string[] }
  >();
  for (const { command, list } of byCount) {
    for (const [key, setting] of list) {
      // The same name may have another meaning or another default for another command.
      const name = `${key}: ${setting.help}: ${setting.default}`;
      const row = rows.get(name) ?? { key, setting, commands: [] };
      row.commands.push(command);
      rows.set(name, row);
    }
  }
  const cells = [...rows.values()].map(({ key, setting, commands }) => [
    `\`${optionText(key, setting).replaceAll(/[<>]/g, '')}\``,
    codeOf(environmentName(key, setting)),
    codeOf(setting.default),
    setting.help,
    commandsText(commands),
  ]);
  return markdownTable(['option', 'variable', 'default', 'meaning', 'commands'], cells);
}

/** Names commands, and all that begin with one word by that word; most of them by the others. */
function commandsText(names: readonly string[]): string {
  const others = Object.keys(commands).filter((name) => !names.includes(name));
  if (others.length < 4) return `all but ${others.map(codeOf).join(', ')}`;
  const short = names.map((name) => {
    const [word = ''] = name.split(' ');
    return others.some((other) => other.startsWith(`${word} `)) ? name : word;
  });
  return [...new Set(short)].map(codeOf).join(', ');
}

/** The fields of every record of an archive. */
function recordsTable(): string {
  const cells = Object.entries(recordShapes).flatMap(([record, { properties = {}, required = [] }]) =>
    Object.entries(properties)
      .slice(1)
      .map(([field, { description }], index) => [
        index === 0 ? `\`${record}\`` : '',
        `\`${field}\``,
        `${description ?? 'the data, in the shape that the type of the chart has'}${required.includes(field) ? '' : '; may be left out'}`,
      ]),
  );
  return markdownTable(['record', 'field', 'must be'], cells);
}

/** Every metric of the admin listener. */
function metricsTable(
  list: ReadonlyArray<{ readonly name: string; readonly type: string; readonly help: string }>,
): string {
  const cells = list.map(({ name, type, help }) => [`\`${name}\``, type, help]);
  return markdownTable(['metric', 'type', 'meaning'], cells);
}

function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows.map((row) => row.map(escapeCell))];
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

function codeOf(text = ''): string {
  return text === '' ? '' : `\`${text}\``;
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function urlOf(name: string): URL {
  return new URL(`../${name}`, import.meta.url);
}

if (import.meta.main) {
  for (const name of documentsWithTables) writeFileSync(urlOf(name), withTables(readDocument(name)));
}
