import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startReferenceServer } from './reference-server.ts';

const PROGRAM = fileURLToPath(new URL('../../conformance/run.ts', import.meta.url));

test('a server that keeps every rule ends with exit code 0 and only the count on the last line', async () => {
  await using server = await startReferenceServer();
  const { code, stdout, stderr } = await run('--profile', 'interface', server.baseUrl);
  assert.equal(code, 0);
  assert.match(stdout, /^[0-9]+ passed, 0 failed\n$/);
  assert.equal(stderr, '');
});

test('a broken rule ends with exit code 1, the response and a command that repeats the request', async () => {
  await using server = await startReferenceServer({
    render: (text) => text.replace('"isGlobal":false', '"isGlobal":0'),
  });
  const { code, stdout } = await run('--subject', 'plugins', '--profile', 'interface', server.baseUrl);
  assert.equal(code, 1);
  const [broken, count] = stdout.split('\n');
  assert.equal(
    broken,
    'FAILED  plugins: the plugin list is an array of plugin summaries [interface 2.1, 4 endpoint 1]: ' +
      `expected boolean at body[0].isGlobal, got 0 | curl -sig --path-as-is '${server.baseUrl}/api/v1/plugins'`,
  );
  assert.equal(count, '3 passed, 1 failed');
});

test('wrong usage ends with exit code 2 and the usage', async () => {
  const wrong = [
    [],
    ['http://127.0.0.1:1', 'http://127.0.0.1:1'],
    ['nonsense'],
    ['--profile', 'x', 'http://127.0.0.1:1'],
    ['--timeout-ms', '0', 'http://127.0.0.1:1'],
    ['--subject', 'x', 'http://127.0.0.1:1'],
    ['--unknown', 'http://127.0.0.1:1'],
  ];
  for (const argv of wrong) {
    const { code, stdout, stderr } = await run(...argv);
    assert.equal(code, 2, argv.join(' '));
    assert.equal(stdout, '');
    assert.match(stderr, /^error: .+\n\nusage: /);
  }
});

test('an unreachable server ends with exit code 2 and its name', async () => {
  const { code, stderr } = await run('http://127.0.0.1:1');
  assert.equal(code, 2);
  assert.match(stderr, /^error: no answer from http:\/\/127\.0\.0\.1:1\/: .*ECONNREFUSED.*\n$/);
});

interface Ending {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

function run(...argv: readonly string[]): Promise<Ending> {
  return new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM, ...argv], (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, stdout, stderr });
    });
  });
}
