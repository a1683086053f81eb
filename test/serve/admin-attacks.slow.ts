// Hostile clients of the admin listener.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { RawConnection } from '../http/support/raw-connection.ts';
import { archiveText, chartLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { importText } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startServing } from './support/serving.ts';

const directory = temporaryDirectory();
const store = ['--store', directory.at('store.db')];
before(() => importText(directory.at('store.db'), archiveText([softwareLine(), pluginLine(), chartLine()])));
after(() => directory[Symbol.dispose]());

describe('the admin listener under attack', () => {
  test('does not delay the interface: 60,000 pipelined requests', async () => {
    await using serving = await startServing([...store, '--admin-port', '0']);
    const target = `${serving.url}/api/v1/software`;
    await (await fetch(target)).text();
    for (const path of ['/metrics', '/live']) {
      const { hostname, port } = new URL(serving.adminUrl);
      const attacker = connect({ host: hostname, port: Number(port) });
      attacker.on('error', () => {}).resume();
      attacker.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(60_000));
      let attackAnswers = 0;
      attacker.setEncoding('latin1').on('data', (text: string) => {
        attackAnswers += text.split('HTTP/1.1 ').length - 1;
      });
      for (let count = 0; count < 40; count++) assert.equal((await fetch(target)).status, 200);
      assert.ok(attackAnswers < 30_000, `${path}: 40 requests of others waited for ${attackAnswers} answers`);
      attacker.destroy();
    }
    assert.deepEqual(await answerOf(`${serving.adminUrl}/ready`), [200, '{"status":"ready"}']);
  });

  test('has a limit of connections', async () => {
    await using serving = await startServing([...store, '--admin-port', '0']);
    const open = await Promise.all(Array.from({ length: 256 }, () => RawConnection.open(serving.adminUrl)));
    using more = await RawConnection.open(serving.adminUrl);
    assert.equal(await more.rest(), '', 'one more is closed');
    for (const connection of open) connection[Symbol.dispose]();
    await waitUntil(async () => (await answerOf(`${serving.adminUrl}/live`).catch(() => []))[0] === 200);
  });

  test('ends with the program, whatever its clients do', async () => {
    await using serving = await startServing([...store, '--admin-port', '0']);
    const texts = ['', 'GET /li', 'GET /metrics HTTP/1.1\r\n\r\n'.repeat(3000), 'nonsense\r\n\r\n'];
    const connections = await Promise.all(texts.map(() => RawConnection.open(serving.adminUrl)));
    for (const [index, connection] of connections.entries()) {
      connection.socket.pause();
      connection.write(texts[index] ?? '');
    }
    await sleep(200);
    serving.signal('SIGTERM');
    const ended = await Promise.race([serving.ended, sleep(30_000, undefined, { ref: false })]);
    for (const connection of connections) connection[Symbol.dispose]();
    assert.deepEqual([ended?.code, ended?.stderr], [0, '']);
  });
});

async function answerOf(url: string): Promise<readonly [status: number, body: string]> {
  const response = await fetch(url);
  return [response.status, await response.text()];
}
