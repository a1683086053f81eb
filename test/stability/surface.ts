/**
 * The surface that users of a release build upon, a line each: options, metrics, answers, exports. `node
 * test/stability/surface.ts` records it.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openapiDocument } from '../../src/api/routes.ts';
import { environmentName, optionText } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/program.ts';
import { allMetrics } from '../support/defined-metrics.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const recordFile = join(checkout, 'test/stability/released.txt');

/** Lists the surface of the working tree as `AREA PLACE NAME: DETAIL`, sorted. */
export function publicSurface(): readonly string[] {
  const lines = [...optionLines(), ...metricLines(), ...answerLines(), ...exportLines()];
  return [...new Set(lines)].sort();
}

/** Reads the surface of the last release. */
export function releasedSurface(): readonly string[] {
  return readFileSync(recordFile, 'utf8').trimEnd().split('\n');
}

/**
 * Lists the lines that a user of the release would miss, and the parameters that such a user does not send.
 * What the text of the changelog names in code quotes is announced, and not listed.
 */
export function breaksOf(
  released: readonly string[],
  present: readonly string[],
  changelog: string,
): readonly string[] {
  const quoted = (changelog.match(/`[^`]+`/g) ?? []).join(' ');
  const isAnnounced = (line: string) =>
    new RegExp(`(?<![\\w-])${RegExp.escape(nameIn(line))}(?![\\w-])`).test(quoted);
  const isBreak = (line: string, from: readonly string[]) => !from.includes(line) && !isAnnounced(line);
  // What a new command or a new path needs, nobody has left out.
  const isOld = (line: string) => {
    const place = line.slice(0, line.lastIndexOf(nameIn(line), line.indexOf(': ')));
    return released.some((one) => one.startsWith(place));
  };
  return [
    ...released.filter((line) => isBreak(line, present)).map((line) => `gone: ${line}`),
    ...present
      .filter((line) => line.endsWith(', required') && isBreak(line, released) && isOld(line))
      .map((line) => `demanded: ${line}`),
  ];
}

/** The name that a line is about: the last word before its detail. */
export function nameIn(line: string): string {
  const [head = ''] = line.split(': ');
  return /[\w-]+(?=\W*$)/.exec(head)?.[0] ?? head;
}

function optionLines(): string[] {
  return Object.entries(commands).flatMap(([command, { settings }]) => [
    `command ${command}: there`,
    ...Object.entries(settings).map(([key, setting]) => {
      const name = optionText(key, setting).split(' ')[0];
      const kind = setting.placeholder === undefined ? 'flag' : `value, ${setting.default ?? 'no default'}`;
      const variable = environmentName(key, setting) ?? 'no variable';
      return `option ${command} ${name}: ${kind}, ${variable}${setting.isRequired ? ', required' : ''}`;
    }),
  ]);
}

function metricLines(): string[] {
  return allMetrics.map(({ name, type }) => `metric ${name}: ${type}`);
}

/** A part of the OpenAPI document. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
}

interface Operation {
  readonly parameters?: ReadonlyArray<{
    readonly name: string;
    readonly required?: boolean;
    readonly schema: Schema;
  }>;
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }>
  >;
}

function answerLines(): string[] {
  const document = JSON.parse(JSON.stringify(openapiDocument({ hasLiveFields: true })));
  const resolve = <Part extends object>(part: Part & { readonly $ref?: string }): Part =>
    part.$ref === undefined
      ? part
      : part.$ref
          .slice(2)
          .split('/')
          .reduce((at, key) => at[key], document);
  // An answer may have fields more; a field that is no longer required, or of another type, breaks who reads
  // it.
  const describe = (schema: Schema, place: string, depth: number): string[] => {
    const { type, properties = {}, required = [], items, additionalProperties, ...rest } = resolve(schema);
    if (depth > 8) return [];
    const kinds = [...(rest.anyOf ?? []), ...(rest.oneOf ?? [])];
    const names = [type ?? []].flat();
    return [
      ...names.map((name) => `${place}: ${name}`),
      ...Object.entries(properties).flatMap(([name, of]) =>
        describe(of, `${place}.${name}${required.includes(name) ? '' : '?'}`, depth + 1),
      ),
      ...(items === undefined ? [] : describe(items, `${place}[]`, depth + 1)),
      ...(typeof additionalProperties === 'object'
        ? describe(additionalProperties, `${place}.*`, depth + 1)
        : []),
      ...kinds.flatMap((kind) => describe(kind, place, depth + 1)),
    ];
  };
  return Object.entries<{ readonly parameters?: Operation['parameters']; readonly get: Operation }>(
    document.paths,
  ).flatMap(([path, { parameters = [], get }]) => [
    `endpoint ${path}: ${get.responses['200'] === undefined ? '' : 'GET'}`,
    ...[...parameters, ...(get.parameters ?? [])].map(resolve).flatMap(({ name, required, schema }) => {
      const values = resolve(schema).enum ?? [];
      return [
        `parameter ${path} ${name}: taken${required === true ? ', required' : ''}`,
        ...values.map((value) => `parameter ${path} ${name}: ${value}`),
      ];
    }),
    ...Object.entries(get.responses).flatMap(([status, response]) =>
      Object.entries(resolve(response).content ?? {}).flatMap(([mediaType, { schema = {} }]) => [
        `answer ${path} ${status} ${mediaType}: sent`,
        ...(status === '200' ? describe(schema, `answer ${path} `, 0) : []),
      ]),
    ),
  ]);
}

/** The entries of the packages: what is imported, and where the compiler puts its declarations. */
const entries: Readonly<Record<string, readonly [config: string, file: string]>> = {
  'plugin-metrics-client': ['tsconfig.client.json', 'client/client.d.ts'],
  'plugin-metrics-reporter': ['tsconfig.reporter.json', 'reporter/reporter.d.ts'],
};

function exportLines(): string[] {
  using folder = temporaryDirectory();
  const { bin, exports } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
  const ofServer = [...Object.keys(bin), ...Object.keys(exports)].map(
    (name) => `export plugin-metrics ${name}: there`,
  );
  const ofOthers = Object.entries(entries).flatMap(([name, [config, file]]) => {
    const tsc = join(checkout, 'node_modules/.bin/tsc');
    execFileSync(tsc, ['-p', config, '--emitDeclarationOnly', '--outDir', folder.path], { cwd: checkout });
    const entry = readFileSync(folder.at(file), 'utf8');
    const beside = [...entry.matchAll(/ from '(\.[^']+)\.ts'/g)].map(([, path = '']) =>
      readFileSync(join(folder.at(file), '..', `${path}.d.ts`), 'utf8'),
    );
    return [entry, ...beside].flatMap(declarationLines).map((line) => `export ${name} ${line}`);
  });
  return [...ofServer, ...ofOthers];
}

/**
 * Lists the exported declarations of a file, each member of a class or an interface as a line of its own. The
 * compiler indents members by four.
 */
function declarationLines(text: string): string[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\n/gm, '');
  const fold = (part: string) => part.replaceAll(/\s+/g, ' ').trim();
  return code.split(/^(?=export |declare |interface |type |import )/m).flatMap((declaration) => {
    const [, kind = '', name = '', rest = ''] =
      /^export (?:declare )?(class|interface|type|function|const) (\w+)([\s\S]*)/.exec(declaration) ?? [];
    if (name === '') return [];
    if (kind !== 'class' && kind !== 'interface') return [`${name}: ${kind} ${fold(rest)}`];
    const [head = '', ...members] = rest.split(/^ {4}(?=[^\s}])/m);
    const shown = members
      .map((member) => fold(member.replace(/^}\s*$/m, '')))
      .filter((one) => !one.startsWith('#'));
    return [
      `${name}: ${kind} ${fold(head.replace('{', ''))}`.trim(),
      ...shown.map((one) => `${name}.${nameOf(one)}: ${one}`),
    ];
  });
}

function nameOf(member: string): string {
  return /^(?:readonly |static |get )*(\w+)/.exec(member)?.[1] ?? member;
}

if (import.meta.main) writeFileSync(recordFile, `${publicSurface().join('\n')}\n`);
