/**
 * Compares the help of all commands, and command lines that are wrong: commands, arguments and options are
 * read from the help.
 */
import { Findings } from './findings.ts';
import { missing, textOf } from './outcome.ts';
import { bothOf } from './pair.ts';
import { type Command, type Run, runCommands } from './run-commands.ts';

/** A store that nothing can make. */
const noStore = 'none/none.db';

/**
 * Arguments for the names that the help gives them: of nothing that there is. A mirror would try an address
 * of `http` for long.
 */
const argumentsByName: Readonly<Record<string, string>> = {
  URL: 'ftp://127.0.0.1',
  PLUGIN: '1',
  'PLUGIN/CHART': '1/a',
  OWNER: '1',
  SOFTWARE: 'none',
};

/** Values for every option; each is wrong for some. */
const values = ['', 'x', '-1', '99999999999'];

/** Lines that name no command, or no option. */
const otherLines = [
  '',
  '-h',
  '--version',
  '-V',
  'sreve',
  '--nonsense',
  '-x',
  '--',
  '-- serve',
  '--help serve',
  'help help',
];

/** An option as a help describes it. */
interface OptionText {
  readonly flag: string;
  readonly hasValue: boolean;
  readonly variable: string | undefined;
  readonly text: string;
}

/** Compares wrong command lines. The commands are those of both builds. */
export async function compareUsage(run: Run): Promise<void> {
  await runCommands(run, otherLines.map(commandOf));
  // The helps themselves are a part of their own.
  const helps = await compareHelps({ ...run, findings: new Findings([]) });
  const lines = [...helps].map(([help, name]) => {
    const { usage, options } = parseHelp(help);
    const names = [...usage.matchAll(/<([A-Z/]+)(?:\.\.\.)?>/g)].map(([, argument = '']) => argument);
    const given = [name, ...names.map((argument) => argumentsByName[argument] ?? 'none.ndjson')].join(' ');
    return { name, given, options: options.map((option) => ({ ...option, given })) };
  });
  const tried = lines.flatMap(({ name, given }) => [
    ...[`help ${name}`, name, `${name} --nonsense`],
    ...[given, `${given} x`, `${given} --store redis:x`],
  ]);
  await runCommands(run, [...new Set(tried)].map(commandOf));
  // An option that several commands have in common is tried with one of them, also where its help has
  // changed.
  const byText = new Map(lines.flatMap((line) => line.options).map((option) => [option.text, option]));
  const options = new Map([...byText.values()].map((option) => [`${option.given} ${option.flag}`, option]));
  for (const { given, flag, hasValue, variable } of options.values()) {
    const line = flag === '--store' ? given : `${given} --store ${noStore}`;
    await runCommands(run, [
      ...(hasValue ? values : ['yes']).map((value) => ({ argv: [...line.split(' '), `${flag}=${value}`] })),
      ...(variable === undefined ? [] : [{ argv: line.split(' '), env: { [variable]: 'x' } }]),
    ]);
  }
  await runCommands(run, [
    ...['a\nb', '\u001b[31m', '\u202eabc', 'é\u0301'].map((store) => ({ argv: ['check', '--store', store] })),
    ...['PLUGIN_METRICS_SOTRE', 'plugin_metrics_port'].map((variable) => ({
      argv: ['check'],
      env: { [variable]: 'x' },
    })),
  ]);
}

/**
 * Compares the help of the program, or of a command and of those in it, such as `add plugin`. Returns the
 * names of commands by the helps of both.
 */
export async function compareHelps(
  run: Pick<Run, 'programs' | 'findings'>,
  name = '',
): Promise<ReadonlyMap<string, string>> {
  const argv = [...name.split(' '), '--help'].filter((word) => word !== '');
  const outcomes = await bothOf(run.programs, (program) => program.run(argv));
  run.findings.judge({ kind: 'help', asked: argv.join(' '), ...outcomes });
  // A build that has no such command shows the help of the one above.
  const texts = Object.values(outcomes)
    .map((outcome) => textOf(outcome.get('stdout') ?? missing))
    .filter((help) => help.startsWith(`Usage: plugin-metrics ${name}`));
  const helps = new Map(name === '' ? [] : texts.map((help) => [help, name]));
  const inner = texts.flatMap((help) => {
    const [, list = ''] = help.split('\nCommands:\n');
    return [...list.matchAll(/^ {2}([a-z]\S*)/gm)].map(([, word]) => `${name} ${word}`.trim());
  });
  for (const one of new Set(inner))
    if (!one.endsWith('help')) for (const [help, of] of await compareHelps(run, one)) helps.set(help, of);
  return helps;
}

function commandOf(line: string): Command {
  return { argv: line === '' ? [] : line.split(' ') };
}

function parseHelp(help: string): { readonly usage: string; readonly options: readonly OptionText[] } {
  const [usage = '', list = ''] = help.split('\nOptions:\n');
  const options = list.split(/^(?= {2}-)/m).flatMap((text) => {
    const [, flag = '', value] = /^ {2}(?:-\w, )?(--[\w-]+)( <.+?>)?/.exec(text) ?? [];
    const [, variable] = /env:\s+(\w+)/.exec(text) ?? [];
    if (flag === '' || flag === '--help') return [];
    // A longer option moves the lines of the others.
    return [{ flag, hasValue: value !== undefined, variable, text: text.replaceAll(/\s+/g, ' ') }];
  });
  return { usage, options };
}
