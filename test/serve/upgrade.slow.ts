// Upgrades without a failed request: replaced workers.
import assert from 'node:assert/strict';
import { renameSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { archiveText, chartLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { messagesIn } from '../support/run-program.ts';
import { importText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';
import { startServing } from './support/serving.ts';

const directory = directoryOfFile();
const storePath = directory.at('store.db');
const store = ['--store', storePath];
const archive = archiveText([softwareLine(), pluginLine(), chartLine()]);
before(() => importText(storePath, archive));

describe('serve', { concurrency: 2 }, () => {
  test('replaces its workers on SIGHUP without a failed request, on old and new connections', async (t) => {
    await using serving = await startServing([...store, '--workers', '2']);
    const load = startLoad(serving.url);
    await load.answered(200);
    serving.signal('SIGHUP');
    await serving.said(/worker \d+ replaced by \d+[\s\S]*worker \d+ replaced by \d+/);
    await load.answered(200);
    assert.deepEqual(await load.stop(), []);
    t.diagnostic(`${load.count()} requests while two workers were replaced, none failed`);
    const pids = messagesIn(serving.stderr()).match(/\d+/g) ?? [];
    assert.equal(new Set(pids).size, 4, 'every worker is a new process');
  });

  test('keeps a worker whose replacement fails to start', async () => {
    const path = directory.at('moved.db');
    await importText(path, archive);
    await using serving = await startServing(['--store', path, '--workers', '2']);
    renameSync(path, `${path}.away`);
    serving.signal('SIGHUP');
    await serving.said(/worker \d+ did not start: the old workers continue/);
    assert.match(messagesIn(serving.stderr()), /^error: .*moved\.db.*\nworker \d+ ended \(code 1\)\n/);
    assert.equal(await ask(`${serving.url}/openapi.json`, false), undefined);
    renameSync(`${path}.away`, path);
    serving.signal('SIGHUP');
    await serving.said(/(?:worker \d+ replaced by \d+[\s\S]*){2}/);
    rmSync(path);
  });

  test('replaces its workers once more for a signal during a replacement, and can be stopped during it', async () => {
    await using serving = await startServing([...store, '--workers', '2']);
    for (let sent = 0; sent < 5; sent++) serving.signal('SIGHUP');
    await serving.said(/worker \d+ replaced by \d+/);
    serving.signal('SIGHUP');
    await serving.said(/(?:worker \d+ replaced by \d+[\s\S]*){3}/);
    serving.signal('SIGTERM');
    assert.equal((await serving.ended).code, 0);
  });

  test('without workers continues on SIGHUP', async () => {
    await using serving = await startServing(store);
    serving.signal('SIGHUP');
    assert.equal(await ask(`${serving.url}/openapi.json`, false), undefined);
    serving.signal('SIGTERM');
    assert.equal((await serving.ended).code, 0);
  });
});

interface Load {
  /** Waits for this many more responses. */
  readonly answered: (count: number) => Promise<void>;
  /** The number of responses so far. */
  readonly count: () => number;
  /** Ends the requests and returns the failures. */
  readonly stop: () => Promise<readonly string[]>;
}

/** Sends requests one after the other: on four connections that stay open, and each on a new connection. */
function startLoad(url: string): Load {
  const failures: string[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  let answerCount = 0;
  let isRunning = true;
  const run = async (one: Agent | false) => {
    while (isRunning) {
      const failure = await ask(`${url}/api/v1/plugins/7`, one);
      if (failure === undefined) answerCount++;
      else failures.push(failure);
      if (one === false) await sleep(2);
    }
  };
  const running = [agent, agent, agent, agent, false, false].map((one) => run(one as Agent | false));
  return {
    answered: async (count) => {
      const wanted = answerCount + count;
      while (answerCount < wanted && failures.length === 0) await sleep(5);
    },
    count: () => answerCount,
    stop: async () => {
      isRunning = false;
      await Promise.all(running);
      agent.destroy();
      return failures;
    },
  };
}

function ask(url: string, agent: Agent | false): Promise<string | undefined> {
  return new Promise((resolve) => {
    request(url, { agent }, (response) => {
      response.on('error', (error) => resolve(`in the body: ${error.message}`));
      response.resume().on('end', () => {
        resolve(response.statusCode === 200 ? undefined : `status ${response.statusCode}`);
      });
    })
      .on('error', (error) => resolve(error.message))
      .end();
  });
}
