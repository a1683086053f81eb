/**
 * The program, which first loads the modules of the maintenance commands and prints that it has: a test that kills it need
 * not wait for its start.
 */
import { enableCompileCache } from 'node:module';

enableCompileCache();
const { runProgram } = await import('../../src/cli/program.ts');
await Promise.all([
  import('../../src/archive/archive-reader.ts'),
  import('../../src/cli/commands/backup.ts'),
  import('../../src/cli/commands/compact.ts'),
  import('../../src/cli/commands/export.ts'),
  import('../../src/cli/commands/prune.ts'),
  import('../../src/cli/commands/remove.ts'),
  import('../../src/cli/commands/restore.ts'),
  import('../../src/cli/commands/stats.ts'),
  import('../../src/postgres/keeping/postgres-remover.ts'),
  import('../../src/postgres/postgres-writer.ts'),
  import('../../src/sqlite/reading/sqlite-reader.ts'),
  import('../../src/sqlite/keeping/sqlite-backup.ts'),
  import('../../src/sqlite/keeping/sqlite-compact.ts'),
  import('../../src/sqlite/keeping/sqlite-remover.ts'),
  import('../../src/sqlite/keeping/sqlite-restore.ts'),
  import('../../src/sqlite/keeping/sqlite-stats.ts'),
]);
process.stdout.write('ready\n');
process.exitCode = await runProgram(process.argv.slice(2));
