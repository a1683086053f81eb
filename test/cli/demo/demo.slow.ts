// `demo` where ports are taken: it names the option, and says that the fleet is off.
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { before, test } from 'node:test';
import { freePort } from '../../support/free-port.ts';
import { startProgram } from '../../support/run-program.ts';
import { directoryOfFile } from '../../support/temporary-directory.ts';

const directory = directoryOfFile();

/** The ports of the server, of the collector, and of the server that shows what it has collected. */
const ports: number[] = [];
const [serverTaken, collectorTaken, pagesTaken] = [0, 1, 2] as const;

before(async () => {
  for (let count = 0; count < 3; count++) ports.push(await freePort());
});

/**
 * Starts with one of the ports taken until it ends by itself, the output has the text, or the test ends.
 * Returns the exit code and the output.
 */
async function startUntil(
  taken: number,
  { text, signal }: { readonly text?: string; readonly signal: AbortSignal },
): Promise<readonly [code: number | null, output: string]> {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(ports[taken], '127.0.0.1', resolve));
  const options = ['--port', `${ports[0]}`, '--collector-port', `${ports[1]}`, `--pages-port=${ports[2]}`];
  const child = startProgram(['demo', '--folder', directory.at(`demo-${taken}`), ...options]);
  // A start without the text goes on.
  signal.addEventListener('abort', () => child.kill('SIGTERM'));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      output += part;
      if (text !== undefined && output.includes(text)) child.kill('SIGTERM');
    });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  await new Promise((resolve) => holder.close(resolve));
  return [code, output];
}

test('a start on a port that is taken names the option for another one', async ({ signal }) => {
  const [code, output] = await startUntil(serverTaken, { signal });
  assert.equal(code, 1, output);
  assert.match(
    output,
    new RegExp(
      `"message":"cannot listen on 127\\.0\\.0\\.1:${ports[0]}: listen EADDRINUSE: address already in use 127\\.0\\.0\\.1:${ports[0]}"}\\n--port PORT takes another port, with npm: npm start -- --port 8085\\n$`,
    ),
  );
});

for (const taken of [collectorTaken, pagesTaken])
  test(`a start serves the sample though port ${taken} of the fleet is taken, and says that the fleet is off`, async ({
    signal,
  }) => {
    const [code, output] = await startUntil(taken, { text: 'the fleet is off', signal });
    assert.equal(code, 0, output);
    assert.match(output, new RegExp(`^listening on http://127\\.0\\.0\\.1:${ports[0]}$`, 'm'));
    assert.match(
      output,
      new RegExp(
        `cannot listen on 127\\.0\\.0\\.1:${ports[taken]}: listen EADDRINUSE: address already in use`,
      ),
    );
    assert.ok(
      output.includes(
        `\n  the fleet is off, and nothing is collected: --collector-port (${ports[1]}) and --pages-port (${ports[2]}) name its ports\n`,
      ),
      output,
    );
  });
