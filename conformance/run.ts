/** The command: `npm run conformance -- [options] BASE_URL`. */

import { parseArgs } from 'node:util';
import { CheckError, checkServer } from './check-server.ts';
import { formatReport } from './report.ts';

const USAGE = `usage: npm run conformance -- [options] BASE_URL

Checks the server of the plugin metrics interface at BASE_URL (http://… or https://…, a path allowed).

  --profile NAME    contract (default): all that this project promises
                    interface: only what the interface demands of every server
  --subject NAME    only the cases of this subject (the name of a file in conformance/cases); may be repeated
  --timeout-ms N    for each answer, 10000 unless given
  --json            prints the report as JSON
  --help            prints this

Exit codes: 0 nothing failed, 1 something failed, 2 wrong usage or no answer from the server.
`;

process.exitCode = await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<number> {
  try {
    const options = parseOptions(argv);
    if (options === 'help') {
      process.stdout.write(USAGE);
      return 0;
    }
    const report = await checkServer(options);
    process.stdout.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : formatReport(report));
    return report.failed === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof CheckError)) throw error;
    process.stderr.write(`error: ${error.message}\n${error.code === 'usage' ? `\n${USAGE}` : ''}`);
    return 2;
  }
}

type RunOptions = Parameters<typeof checkServer>[0] & { readonly json: boolean };

function parseOptions(argv: readonly string[]): RunOptions | 'help' {
  const { values, positionals } = parse(argv);
  if (values.help) return 'help';
  const { profile, subject: subjects, json } = values;
  const [baseUrl, ...more] = positionals;
  if (baseUrl === undefined || more.length > 0)
    throw new CheckError('usage', 'exactly one BASE_URL is needed');
  if (profile !== 'interface' && profile !== 'contract') {
    throw new CheckError('usage', `--profile must be interface or contract, not "${profile}"`);
  }
  const timeoutMs = Number(values['timeout-ms']);
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > 600_000) {
    throw new CheckError(
      'usage',
      `--timeout-ms must be a whole number from 1 to 600000, not "${values['timeout-ms']}"`,
    );
  }
  return { baseUrl, profile, json, timeoutMs, ...(subjects && { subjects }) };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        profile: { type: 'string', default: 'contract' },
        subject: { type: 'string', multiple: true },
        'timeout-ms': { type: 'string', default: '10000' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (cause) {
    throw new CheckError('usage', cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
