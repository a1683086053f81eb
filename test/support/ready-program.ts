/**
 * Runs the program after loading the modules of the maintenance commands, and prints when they are loaded: a
 * test that kills the program need not wait for its start.
 */
import { enableCompileCache } from 'node:module';

enableCompileCache();
const { runProgram } = await import('../../src/cli/program.ts');
await Promise.all([
  import('../../src/archive/archive-reader.ts'),
  import('../../src/cli/commands/backup.ts'),
  import('../../src/cli/commands/check.ts'),
  import('../../src/cli/commands/export.ts'),
  import('../../src/cli/commands/import.ts'),
  import('../../src/cli/commands/remove.ts'),
  import('../../src/store/maintenance/store-remover.ts'),
  import('../../src/store/reading/store-reader.ts'),
  import('../../src/store/writing/store-writer.ts'),
  import('../../src/store/sqlite/sqlite-backup.ts'),
  import('../../src/store/sqlite/sqlite-engine.ts'),
  import('../../src/store/sqlite/sqlite-backup.ts'),
]);
process.stdout.write('ready\n');
process.exitCode = await runProgram(process.argv.slice(2));
