// A request log that is not read: the server continues, and the log counts the dropped lines.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { archiveText, chartLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { childrenOf } from '../support/child-processes.ts';
import { startProgram } from '../support/run-program.ts';
import { importText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';

const directory = directoryOfFile();
const storePath = directory.at('store.db');
before(() => importText(storePath, archiveText([softwareLine(), pluginLine(), chartLine()])));

describe('serve --log-requests with an unread standard error', { concurrency: 2 }, () => {
  for (const workers of ['1', '2']) {
    test(`answers, and ends with 0 on SIGTERM, with --workers ${workers}`, async () => {
      const options = ['--port', '0', '--log-requests', '--workers', workers];
      const child = startProgram(['serve', '--store', storePath, ...options]);
      child.stderr.pause();
      const url = await new Promise<string>((resolve) => {
        child.stdout.setEncoding('utf8').once('data', (text: string) => {
          resolve(/^listening on (\S+)\n/.exec(text)?.[1] ?? '');
        });
      });
      // More than a pipe holds.
      const agent = new Agent({ keepAlive: true, maxSockets: 8 });
      for (let round = 0; round < 400; round++)
        await Promise.all(Array.from({ length: 8 }, () => ask(url, { path: `/${'a'.repeat(150)}` }, agent)));
      agent.destroy();
      // The supervisor reports it, but that is not read either.
      const [worker] = workers === '1' ? [] : await childrenOf(child.pid ?? 0);
      if (worker !== undefined) process.kill(worker, 'SIGKILL');
      await sleep(500);
      assert.equal(child.stderr.readableLength < 300_000, true, 'it was not read');
      child.kill('SIGTERM');
      const ended = new Promise((resolve) => child.once('exit', (...how) => resolve(how)));
      const how = await Promise.race([ended, sleep(20_000, 'it did not end', { ref: false })]);
      child.kill('SIGKILL');
      assert.deepEqual(how, [0, null]);
    });
  }
});

describe('a log that is read too slowly', { concurrency: 2 }, () => {
  const lineCount = 100_000;

  test('counts every line that it dropped, however long it was not read', async () => {
    const child = startLogging({ lineCount, stderr: 'pipe' });
    const closed = once(child, 'close');
    assert.ok(child.stderr !== null);
    await sleep(2500);
    let text = '';
    child.stderr.setEncoding('utf8').on('data', (block: string) => {
      text += block;
    });
    while (countIn(text) < lineCount && child.exitCode === null) await sleep(50);
    child.stdin?.end();
    await closed;
    assert.equal(countIn(text), lineCount);
  });

  test('continues, and ends, when its reader has gone', async () => {
    const child = startLogging({ lineCount: 1000, stderr: 'pipe' });
    const closed = once(child, 'close');
    child.stderr?.destroy();
    child.stdin?.end();
    assert.deepEqual(await closed, [0, null]);
  });
});

/**
 * Logs this many requests at once, and ends the log when standard input ends, after a minute at the latest.
 */
function startLogging(options: { readonly lineCount: number; readonly stderr: 'pipe' | number }) {
  const { lineCount, stderr } = options;
  const module = new URL('../../src/serve/log-stream.ts', import.meta.url).href;
  const script = `
    import { LogStream } from ${JSON.stringify(module)};
    await using log = new LogStream();
    const line = '{"level":"info","status":400,"bodyBytes":1,"message":"request"}\\n';
    // The lines are shorter than the one that counts them, so that a full log has no room for it. A full pipe
    // stays full.
    for (let count = 0; count < ${lineCount / 2}; count++) log.write(line);
    await new Promise((resolve) => setTimeout(resolve, 300));
    for (let count = 0; count < ${lineCount / 2}; count++) log.write(line);
    const end = new Promise((resolve) => process.stdin.resume().on('end', resolve));
    await Promise.race([end, new Promise((resolve) => setTimeout(resolve, 60_000).unref())]);
    process.stdin.destroy();`;
  return spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['pipe', 'inherit', stderr],
  });
}

/** Counts the requests in a log, both logged and reported as dropped. */
function countIn(text: string): number {
  let sum = 0;
  for (const line of text.slice(0, text.lastIndexOf('\n')).split('\n')) {
    const { count = 1 } = JSON.parse(line || '{"count":0}') as { readonly count?: number };
    sum += count;
  }
  return sum;
}

function ask(url: string, { path }: { readonly path: string }, agent: Agent) {
  return new Promise<{ readonly headers: Readonly<Record<string, unknown>> }>((resolve, reject) => {
    request(url + path, { agent }, (response) => {
      response.resume().on('end', () => resolve(response));
    })
      .on('error', reject)
      .end();
  });
}
