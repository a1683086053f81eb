/** The command line: commands, their settings, and exit codes. */
import { Command, CommanderError } from 'commander';
import type { TimeUnit } from '../archive/csv/timestamps.ts';
import { AppError } from '../model/app-error.ts';
import type { Store } from '../model/store.ts';
import type { ChartName } from '../store/import-batch.ts';
import { parseUpstreamAddress } from '../upstream/upstream-address.ts';
import type { MirrorRequest } from './commands/mirror.ts';
import type { ServeSettings } from './commands/serve.ts';
import { command, orWrongUsage } from './declare-command.ts';
import { tidyEnvironment } from './environment.ts';
import { addKeepingCommands } from './keeping-commands.ts';
import { checkGivenSoftware } from './mirror/given-software.ts';
import { printHelp, printMessage, watchOutput } from './output.ts';
import { packageVersion } from './package-version.ts';
import { shownArgument } from './password-text.ts';
import { refuseSameFile } from './same-file.ts';
import { serveSettings } from './serve-settings.ts';
import {
  type CsvChart,
  exportSettings,
  importSettings,
  mirrorSettings,
  openapiSettings,
  parsePath,
  storeSettings,
} from './settings.ts';

const done = 0;
const failed = 1;
const wrongUsage = 2;

/** Runs the command that the arguments name, prints its messages and gives the exit code. */
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

/** Prints each error once: a failed write is reported both by the command and by `watchOutput`. */
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

  const pathOf = (text: string) => orWrongUsage(root, 'FILE', () => parsePath(text));

  command(root, 'serve', { summary: 'serve the interface over HTTP', settings: serveSettings }).action(
    async (settings: ServeSettings, made: Command) => {
      if (settings.reusePort && settings.workers !== 1)
        made.error('error: --reuse-port is for one process; SIGHUP replaces the workers of --workers');
      if (settings.logAddresses && !settings.logRequests)
        made.error('error: --log-addresses needs --log-requests');
      const { serveStore } = await import('./commands/serve.ts');
      await serveStore(settings);
    },
  );
  command(root, 'import', {
    summary: 'import archives, or CSV, into the store, all or nothing',
    settings: importSettings,
  })
    .argument(
      '<FILE...>',
      'archives, or CSV with --csv, plain, gzip or zstd; - is standard input',
      (file, files: readonly string[] = []) => [...files, pathOf(file)],
    )
    .action(async (files: readonly string[], options: ImportOptions, made: Command) => {
      const { store, csv, timeUnit, allowFuture } = options;
      if (!csv && (options.plugin ?? options.chart ?? timeUnit) !== undefined)
        made.error('error: --plugin, --chart and --time-unit need --csv');
      const chart = csv ? csvChart(options, made) : undefined;
      refuseSameFile(made, store, { reads: files });
      const { importArchives, importCsv } = await import('./commands/import.ts');
      await (chart === undefined
        ? importArchives(store, files, { allowFuture })
        : importCsv(store, files, { ...chart, timeUnit, allowFuture }));
    });
  command(root, 'export', { summary: 'export the whole store as an archive', settings: exportSettings })
    .argument(
      '[FILE]',
      'the archive to write, compressed if it ends in .gz or .zst; - is standard output',
      pathOf,
      '-',
    )
    .action(async (file: string, { store, force }: ExportOptions, made: Command) => {
      refuseSameFile(made, store, { writes: [file] });
      const { exportArchive } = await import('./commands/export.ts');
      await exportArchive(store, file, { isReplacing: force });
    });
  const addressOf = (text: string) => orWrongUsage(root, 'URL', () => parseUpstreamAddress(text));
  const mirror = command(root, 'mirror', {
    summary: 'copy from another server of the same interface',
    settings: mirrorSettings,
  });
  mirror
    .argument('<URL>', 'where /api/v1 begins there: https://HOST, also with a path', addressOf)
    .action(async (address: string, options: Omit<MirrorRequest, 'address'>) => {
      const isSome = (options.plugin ?? options.pluginsFile) !== undefined;
      if (!isSome && !options.all)
        mirror.error('error: say what to copy: --plugin ID, --plugins-file FILE or --all');
      if (isSome && options.all)
        mirror.error('error: --all is every plugin: leave out --plugin and --plugins-file');
      orWrongUsage(mirror, '--software', () => checkGivenSoftware(options.software ?? []));
      if (options.pluginsFile !== undefined)
        refuseSameFile(mirror, options.store, { reads: [options.pluginsFile] });
      const { mirrorServer } = await import('./commands/mirror.ts');
      if (!(await mirrorServer({ ...options, address }))) process.exitCode = failed;
    });
  command(root, 'check', {
    summary: 'read everything in the store and verify it',
    settings: storeSettings,
  }).action(async (options: { readonly store: Store }) => {
    const { checkStore } = await import('./commands/check.ts');
    if (!(await checkStore(options.store))) process.exitCode = failed;
  });
  addKeepingCommands(root);
  command(root, 'openapi', {
    summary: 'print the OpenAPI document of the interface',
    settings: openapiSettings,
  }).action(async (options: { readonly liveFields: boolean }) => {
    const { printOpenapi } = await import('./commands/openapi.ts');
    printOpenapi({ hasLiveFields: options.liveFields });
  });
  return root;
}

interface ExportOptions {
  readonly store: Store;
  readonly force: boolean;
}

/** The chart of `--csv`: its plugin stands in `--plugin` or in `--chart`, and not in both. */
function csvChart({ plugin, chart }: ImportOptions, made: Command): ChartName {
  const pluginId = plugin ?? chart?.pluginId;
  if (chart === undefined || pluginId === undefined)
    return made.error('error: --csv needs --plugin ID and --chart CHART, or --chart PLUGIN/CHART');
  if (plugin !== undefined && chart.pluginId !== undefined)
    return made.error('error: with --plugin, --chart is the id of the chart alone');
  return { pluginId, chartId: chart.chartId };
}

interface ImportOptions {
  readonly store: Store;
  readonly csv: boolean;
  readonly plugin?: number;
  readonly chart?: CsvChart;
  readonly timeUnit?: TimeUnit;
  readonly allowFuture: boolean;
}

/** Commander repeats an unknown command or option as it was typed. */
function printUsageError(text: string): void {
  // Commander adds its suggestion as a line of its own.
  const [, error = text, suggestion] = /^(.*?)\n(\(Did you mean [^\n]*\))?\n?$/s.exec(text) ?? [];
  printMessage(error);
  if (suggestion !== undefined) printMessage(suggestion);
}

function withoutPasswords(text: string, argv: readonly string[]): string {
  const unsafe = argv.filter((one) => shownArgument(one) !== one).sort((a, b) => b.length - a.length);
  return unsafe.reduce((shown, one) => shown.replaceAll(one, () => shownArgument(one)), text);
}
