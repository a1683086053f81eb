/** The program: its commands, and their exit codes. */

import { Command, CommanderError } from 'commander';
import { AppError } from '../model/app-error.ts';
import type { ChartName } from '../model/chart.ts';
import { parseUpstreamAddress } from '../upstream/connection/upstream-address.ts';
import { declareAddingCommands } from './adding-commands.ts';
import { checkGivenSoftware } from './given-software.ts';
import { declareKeepingCommands } from './keeping-commands.ts';
import { printHelp, printMessage, watchOutput } from './output.ts';
import { packageVersion } from './package-version.ts';
import { shownArgument } from './password-text.ts';
import { refuseSameFile } from './same-file.ts';
import { collectSettings } from './settings/collect-settings.ts';
import { declareCommand, orWrongUsage } from './settings/declare-command.ts';
import { tidyEnvironment } from './settings/environment.ts';
import { serveSettings } from './settings/serve-settings.ts';
import type { OptionsOf } from './settings/setting.ts';
import {
  exportSettings,
  importSettings,
  mirrorSettings,
  openapiSettings,
  parsePath,
  storeSettings,
} from './settings/settings.ts';

const done = 0;
const failed = 1;
const wrongUsage = 2;

/** Runs the command in the arguments and returns the exit code. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  const sayError = errorSayer();
  watchOutput((reason) => {
    sayError(`<stdout>: cannot be written: ${reason}`);
    process.exitCode = failed;
  });
  try {
    const root = program(argv);
    tidyEnvironment(root);
    await root.parseAsync(argv, { from: 'user' });
    return process.exitCode === undefined ? done : Number(process.exitCode);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? done : wrongUsage;
    sayError(errorText(error));
    return failed;
  }
}

/** Makes a function that prints each error once: the command and `watchOutput` both report a failed write. */
function errorSayer(): (text: string) => void {
  const said = new Set<string>();
  return (text) => {
    if (!said.has(text)) printMessage(`error: ${text}`);
    said.add(text);
  };
}

function errorText(error: unknown): string {
  if (error instanceof AppError)
    return error.place === undefined ? error.message : `${error.place}: ${error.message}`;
  return `a bug in plugin-metrics, please report it: ${error instanceof Error ? error.stack : error}`;
}

function program(argv: readonly string[]): Command {
  const root = new Command('plugin-metrics')
    .description('Stores the metrics of plugins and serves them through a read-only HTTP interface.')
    .version(packageVersion())
    .exitOverride()
    .configureOutput({
      writeErr: printHelp,
      outputError: (text) => printUsageError(withoutPasswords(text, argv)),
    })
    .showHelpAfterError('(--help shows what is allowed)');
  declareCommand(root, 'serve', {
    summary: 'serve the interface over HTTP',
    settings: serveSettings,
    async run(options) {
      const { serveStore } = await import('./commands/serve.ts');
      await serveStore(options);
    },
  });
  declareCommand(root, 'import', {
    summary: 'import archives, or CSV, into the store, all or nothing',
    settings: importSettings,
    argument: {
      name: '<FILE...>',
      help: 'archives, or CSV with --csv, plain, gzip or zstd; - is standard input',
      parse: (file, files: readonly string[] = []) => [...files, parsePath(file)],
    },
    async run(options, files, made) {
      const { store, csv, timeUnit, allowFuture } = options;
      if (!csv && (options.plugin ?? options.chart ?? timeUnit) !== undefined)
        made.error('error: --plugin, --chart and --time-unit need --csv');
      const chart = csv ? csvChart(options, made) : undefined;
      refuseSameFile(made, store, { reads: files });
      const { importArchives, importCsv } = await import('./commands/import.ts');
      const shared = { allowFuture, isStoreVariable: made.getOptionValueSource('store') === 'env' };
      await (chart === undefined
        ? importArchives(store, files, shared)
        : importCsv(store, files, { ...chart, ...shared, timeUnit }));
    },
  });
  declareCommand(root, 'export', {
    summary: 'export the whole store as an archive',
    settings: exportSettings,
    argument: {
      name: '[FILE]',
      help: 'the archive to write, compressed if it ends in .gz or .zst; - is standard output',
      parse: parsePath,
      default: '-',
    },
    async run({ store, force }, file, made) {
      refuseSameFile(made, store, { writes: [file] });
      const { exportArchive } = await import('./commands/export.ts');
      await exportArchive(store, file, { isReplacing: force });
    },
  });
  declareCommand(root, 'mirror', {
    summary: 'copy from another server of the same interface',
    settings: mirrorSettings,
    argument: {
      name: '<URL>',
      help: 'where /api/v1 begins there: https://HOST, also with a path',
      parse: parseUpstreamAddress,
    },
    async run(options, address, made) {
      const isSome = (options.plugin ?? options.pluginsFile) !== undefined;
      if (!isSome && !options.all)
        made.error('error: say what to copy: --plugin ID, --plugins-file FILE or --all');
      if (isSome && options.all)
        made.error('error: --all is every plugin: leave out --plugin and --plugins-file');
      orWrongUsage(made, '--software', () => checkGivenSoftware(options.software ?? []));
      if (options.pluginsFile !== undefined)
        refuseSameFile(made, options.store, { reads: [options.pluginsFile] });
      const { mirrorFrom } = await import('./commands/mirror.ts');
      if (!(await mirrorFrom({ ...options, address }))) process.exitCode = failed;
    },
  });
  declareCommand(root, 'collect', {
    summary: 'take reports of running plugins and store them',
    settings: collectSettings,
    async run(options) {
      const { collectInto } = await import('./commands/collect.ts');
      await collectInto(options);
    },
  });
  declareAddingCommands(root);
  declareCommand(root, 'check', {
    summary: 'read everything in the store and verify it',
    settings: storeSettings,
    async run({ store }) {
      const { checkStore } = await import('./commands/check.ts');
      if (!(await checkStore(store))) process.exitCode = failed;
    },
  });
  declareKeepingCommands(root);
  declareCommand(root, 'openapi', {
    summary: 'print the OpenAPI document of the interface',
    settings: openapiSettings,
    async run({ liveFields }) {
      const { printOpenapi } = await import('./commands/openapi.ts');
      printOpenapi({ hasLiveFields: liveFields });
    },
  });
  return root;
}

/** Finds the chart for `--csv`. Its plugin is in `--plugin` or in `--chart`, but not in both. */
function csvChart({ plugin, chart }: OptionsOf<typeof importSettings>, made: Command): ChartName {
  const pluginId = plugin ?? chart?.pluginId;
  if (chart === undefined || pluginId === undefined)
    return made.error('error: --csv needs --plugin ID and --chart CHART, or --chart PLUGIN/CHART');
  if (plugin !== undefined && chart.pluginId !== undefined)
    return made.error('error: with --plugin, --chart is the id of the chart alone');
  return { pluginId, chartId: chart.chartId };
}

/** Prints an error of commander, which repeats unknown commands and options as they were typed. */
function printUsageError(text: string): void {
  // A suggestion comes on a line of its own.
  const [, error = text, suggestion] = /^(.*?)\n(\(Did you mean [^\n]*\))?\n?$/s.exec(text) ?? [];
  printMessage(error);
  if (suggestion !== undefined) printMessage(suggestion);
}

function withoutPasswords(text: string, argv: readonly string[]): string {
  const unsafe = argv.filter((one) => shownArgument(one) !== one).sort((a, b) => b.length - a.length);
  return unsafe.reduce((shown, one) => shown.replaceAll(one, () => shownArgument(one)), text);
}
