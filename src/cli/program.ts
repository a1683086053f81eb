/** The program: its commands, and their exit codes. */
import { Command, CommanderError } from 'commander';
import { type ProgramCommand, tidyEnvironment, withoutPasswords } from './command.ts';
import { addCommands } from './commands/add.ts';
import { backup, restore } from './commands/backup.ts';
import { check, compact, stats } from './commands/check.ts';
import { collect } from './commands/collect.ts';
import { demo } from './commands/demo.ts';
import { exportCommand } from './commands/export.ts';
import { importCommand } from './commands/import.ts';
import { listCommands } from './commands/list.ts';
import { mirror } from './commands/mirror.ts';
import { notify } from './commands/notify.ts';
import { publish } from './commands/publish.ts';
import { prune, removeCommands } from './commands/remove.ts';
import { renameCommands } from './commands/rename.ts';
import { openapi, serve } from './commands/serve.ts';
import { upgrade } from './commands/upgrade.ts';
import { errorText, logMessages, printMessage, watchOutput } from './output.ts';
import { version } from './package-version.ts';

/** The commands by name, in the order of `--help`. Each loads its code when it is run. */
export const commands: Readonly<Record<string, ProgramCommand>> = {
  serve,
  demo,
  import: importCommand,
  export: exportCommand,
  mirror,
  collect,
  notify,
  publish,
  ...addCommands,
  ...renameCommands,
  ...listCommands,
  check,
  backup,
  restore,
  ...removeCommands,
  prune,
  compact,
  upgrade,
  stats,
  openapi,
};

/** The summaries of the first words of two-word commands. */
const groups: Readonly<Record<string, string>> = {
  add: 'add a software, a plugin, a chart or an event to the store',
  rename: 'rename a plugin, a chart or an owner',
  list: 'list what is in the store, one to a line, ids first',
  remove: 'remove a plugin, a chart, a point, an event or a software from the store',
};

/** The widest lines of `--help`, in columns. */
const maxHelpWidth = 100;

const done = 0;
const failed = 1;
const wrongUsage = 2;

/** Runs the command in the arguments and returns the exit code. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  const [name = ''] = argv;
  logMessages((name === 'serve' || name === 'collect') && !argv.includes('--check'));
  const sayError = errorSayer();
  watchOutput((reason) => {
    sayError(`<stdout>: cannot be written: ${reason}`);
    process.exitCode = failed;
  });
  try {
    tidyEnvironment(Object.values(commands));
    await program(argv).parseAsync(argv, { from: 'user' });
    return process.exitCode === undefined ? done : Number(process.exitCode);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? done : wrongUsage;
    sayError(withoutPasswords(errorText(error), argv));
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

function program(argv: readonly string[]): Command {
  const root = new Command('plugin-metrics')
    .description('Stores the metrics of plugins and serves them through a read-only HTTP interface.')
    .version(version)
    .exitOverride()
    .configureHelp({ minWidthToWrap: 20 })
    .configureOutput({
      getOutHelpWidth: () => Math.min(process.stdout.columns ?? maxHelpWidth, maxHelpWidth),
      writeErr: (text) => printMessage(...text.trimEnd().split('\n')),
      // One line, whatever the arguments were.
      outputError: (text) =>
        printMessage(
          withoutPasswords(
            text
              .trimEnd()
              .replace(/\n(?=\(Did you mean )/, ' ')
              .replace(/^(error: unknown option '[^=]*)=.*'/s, "$1'"),
            argv,
          ),
        ),
    })
    .showHelpAfterError('(--help shows what is allowed)');
  for (const [name, command] of Object.entries(commands)) {
    const [group = '', word] = name.split(' ');
    const parent = root.commands.find((one) => one.name() === group);
    if (word === undefined) command.addTo(root, name);
    else command.addTo(parent ?? root.command(group).description(groups[group] ?? ''), word);
  }
  return root;
}
