// The command line: commands, options, variables, and messages about wrong ones.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { environmentName, optionName, optionText } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/program.ts';
import { archiveText, softwareLine } from '../support/archive-text.ts';
import { messagesIn, type RunOptions, runProgram } from '../support/run-program.ts';
import { importText } from '../support/stores.ts';
import { directoryOfFile, temporaryDirectory } from '../support/temporary-directory.ts';

const directory = directoryOfFile();

describe('help', () => {
  for (const [command, { settings }] of Object.entries(commands)) {
    test(`${command} --help shows every setting with its default and its variable`, async () => {
      const argv = [...command.split(' '), '--help'];
      const { code, stdout, stderr } = await runProgram(argv, { cwd: directory.path });
      assert.deepEqual([code, stderr], [0, '']);
      for (const line of stdout.split('\n')) assert.ok(line.length <= 100, line);
      const text = stdout.replaceAll(/\s+/g, ' ');
      for (const [key, setting] of Object.entries(settings)) {
        assert.ok(text.includes(`${optionText(key, setting)} ${setting.help}`), key);
        // Options that are on unless `--no-…` is given have no default to show.
        const hasDefault = setting.default !== undefined && !optionName(key).startsWith('no-');
        const variable = environmentName(key, setting);
        const fallback = hasDefault ? `default: ${setting.default}, ` : '';
        if (variable !== undefined) assert.ok(text.includes(`(${fallback}env: ${variable})`), key);
      }
    });
  }

  test('--help lists every command', async () => {
    const { code, stdout } = await runProgram(['--help']);
    assert.equal(code, 0);
    for (const name of Object.keys(commands))
      assert.match(stdout, new RegExp(`^  ${name.replace(/ .*/, '')}\\b`, 'm'));
    assert.equal(
      (await runProgram(['help', 'import'])).stdout,
      (await runProgram(['import', '--help'])).stdout,
    );
  });

  test('--version prints the version of the package', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    assert.deepEqual(await runProgram(['--version']), {
      code: 0,
      signal: null,
      stdout: `${version}\n`,
      stderr: '',
    });
  });
});

test('every setting has a unique name, in the environment as well', () => {
  for (const { settings } of Object.values(commands)) {
    for (const [key, setting] of Object.entries(settings)) {
      const name = optionName(key);
      assert.match(name, /^[a-z]+(-[a-z]+)*$/);
      const variable = environmentName(key, setting);
      if (variable !== undefined)
        assert.equal(variable, `PLUGIN_METRICS_${name.toUpperCase().replaceAll('-', '_')}`);
    }
  }
});

const wholePort = 'it must be a whole number from 0 to 65535, got ';
const storeRule =
  'error: --store (PLUGIN_METRICS_STORE): it must be sqlite:PATH, a plain path or postgres://USER@HOST:PORT/DATABASE; a path';

/** Wrong command lines, their environment, and the messages on standard error. */
const wrongUses: ReadonlyArray<
  readonly [argv: readonly string[], said: readonly (string | RegExp)[], env?: Record<string, string>]
> = [
  [[], ['Usage: plugin-metrics']],
  [['nonsense'], ["error: unknown command 'nonsense'"]],
  [
    ['serve', '--nonsense'],
    ["error: unknown option '--nonsense'", '(--help shows what is allowed)'],
  ],
  [['import'], ["error: missing required argument 'FILE'"]],
  [
    ['import', '--csv', 'a.csv'],
    [
      'error: --csv needs --plugin ID and --chart CHART, or --chart PLUGIN/CHART',
      '(--help shows what is allowed)',
    ],
  ],
  [['import', '--chart', '7/players', 'a.csv'], ['error: --chart needs --csv']],
  [
    ['import', '--csv', '--chart', '7/players', '--time-unit', 'h', 'a.csv'],
    ['error: --time-unit (PLUGIN_METRICS_TIME_UNIT): it must be s or ms, got "h"'],
  ],
  ...(
    [
      [
        'zone',
        'Europe/Berlinn',
        'the name of a time zone such as Europe/Berlin, or an offset such as +01:00',
      ],
      ['dates', 'ymd', 'dmy or mdy'],
      ['decimal', ';', '. or ,'],
      ['delimiter', '|', 'a comma, a semicolon or tab'],
      ['columns', 'Date', 'two names or numbers with a comma between them, such as Date,Players or 1,3'],
    ] as const
  ).map(
    ([name, value, allowed]) =>
      [
        ['import', '--csv', '--chart', '7/players', `--${name}`, value, 'a.csv'],
        [`error: --${name} (PLUGIN_METRICS_${name.toUpperCase()}): it must be ${allowed}, got "${value}"`],
      ] as const,
  ),
  [
    ['import', '--csv', '--chart=0/players', 'a.csv'],
    [
      'error: --chart (PLUGIN_METRICS_CHART): it must be the id of a plugin, a slash and the id of a chart, such as 1337/players, got "0/players"',
    ],
  ],
  [['export', 'a', 'b'], ["error: too many arguments for 'export'"]],
  [['serve', '--port', 'abc'], [`error: --port (PLUGIN_METRICS_PORT): ${wholePort}"abc"`]],
  [
    ['serve', '--host', 'a b'],
    ['--host (PLUGIN_METRICS_HOST): it must be a host name or an IP address, got "a b"'],
  ],
  ...['10.0.0.0/33', '::1/129', '127.0.0.1,x'].map(
    (network) =>
      [
        ['serve', '--trust-proxy', network],
        [
          /^error: --trust-proxy \(PLUGIN_METRICS_TRUST_PROXY\): it must be an IP address or a network such as 10/,
        ],
      ] as const,
  ),
  ...[
    ['prune', '--before', '1782257400', 'seconds: write 2026-06-23T23:30:00.000Z'],
    ['prune', '--after', '2026', 'a year: write 2026-01-01'],
    ['add event 7 --title x', '--time', '20260601', 'a day without hyphens: write 2026-06-01'],
    ['remove event 7', '--time', '12', 'seconds: write 1970-01-01T00:00:12.000Z'],
  ].map(
    ([command = '', option = '', digits = '', hint]) =>
      [[...command.split(' '), option, digits], [`, got "${digits}", which looks like ${hint}`]] as const,
  ),
  ...[
    'ftp://a.example',
    'https://a.example/b?c',
    'https://a.example/plugin/b',
    'https://a.example//b',
    'https://u@a.example',
  ].map(
    (url) =>
      [
        ['serve', '--public-url', url],
        [/--public-url \(PLUGIN_METRICS_PUBLIC_URL\): it must be https:\/\/ or /],
      ] as const,
  ),
  [
    ['serve'],
    ['error: --live-fields (PLUGIN_METRICS_LIVE_FIELDS): it must be true, false, 1 or 0, got "TRUE"'],
    { PLUGIN_METRICS_LIVE_FIELDS: 'TRUE' },
  ],
  [['check'], [storeRule], { PLUGIN_METRICS_STORE: 'redis:x' }],
  [['stats', '--json', '--prometheus'], ['error: choose --json or --prometheus']],
  [['mirror', 'http://127.0.0.1:1', '--all', '--admin-port', '0'], ['error: --admin-port needs --every']],
  [
    ['mirror', 'http://127.0.0.1:1', '--all', '--header', 'A: 1', '--header', 'a: 2'],
    ['error: --header and --header-file give a header twice'],
  ],
  // Values of headers are secrets, and a mistyped option may have one.
  [['mirror', '--heder=A: secret'], [/^error: unknown option '--heder'$/m]],
  [
    ['mirror'],
    [/^error: --header \(PLUGIN_METRICS_HEADER\): it must be NAME: VALUE [^"]*$/],
    { PLUGIN_METRICS_HEADER: 'secret' },
  ],
];

describe('wrong usage', () => {
  for (const [argv, said, env = {}] of wrongUses) {
    const shown = [
      ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
      'plugin-metrics',
      ...argv,
    ].join(' ');
    test(`"${shown}" ends with 2 and says what is allowed`, async () => {
      using empty = temporaryDirectory();
      const { code, stdout, ...run } = await runProgram(argv, { cwd: empty.path, env });
      const stderr = argv[0] === 'serve' ? messagesIn(run.stderr) : run.stderr;
      assert.deepEqual([code, stdout], [2, '']);
      for (const text of said) {
        if (typeof text === 'string') assert.ok(stderr.includes(text), stderr);
        else assert.match(stderr, text);
      }
      assert.deepEqual(readdirSync(empty.path), []);
    });
  }
});

describe('the store', () => {
  test('an option overrides a variable, and a variable overrides the default', async () => {
    const cwd = directory.path;
    for (const name of ['plugin-metrics', 'variable', 'option']) {
      await importText(directory.at(`${name}.db`), archiveText([softwareLine({ name })]));
    }
    const env = { PLUGIN_METRICS_STORE: 'sqlite:variable.db' };
    const cases: ReadonlyArray<readonly [name: string, argv: readonly string[], options: RunOptions]> = [
      ['plugin-metrics', [], {}],
      ['variable', [], { env }],
      ['option', ['--store', 'option.db'], { env }],
    ];
    for (const [name, argv, options] of cases) {
      const { stdout } = await runProgram(['export', ...argv], { cwd, ...options });
      assert.equal(stdout, archiveText([softwareLine({ name })]));
    }
  });

  test('a variable of another command is not an error', async () => {
    const path = directory.at('other.db');
    await importText(path, archiveText([]));
    const run = await runProgram(['check', '--store', path], { env: { PLUGIN_METRICS_PORT: 'abc' } });
    assert.deepEqual(run, { code: 0, signal: null, stdout: `${path}: no faults\n`, stderr: '' });
  });
});
