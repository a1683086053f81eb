/**
 * The cluster of docs/cluster.md under attack: Patroni, etcd and HAProxy with the files of ops/patroni/, an
 * importer, two collectors, two nodes and their readers. Run by `npm run test:cluster`; needs patroni,
 * etcd-server, haproxy and postgresql of Debian.
 */
import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordChecker } from '../../src/archive/check-record.ts';
import { parseStoreName } from '../../src/cli/store-name.ts';
import { makeCollectingStore } from '../collect/collecting.ts';
import { exportFrom } from '../contracts/store-contract.ts';
import { type Serving, startServing } from '../serve/support/serving.ts';
import { waitUntil } from '../support/wait-until.ts';
import { chartIds, startImporter, startReporter, startWatch } from './clients.ts';
import { type Cluster, type Entrance, type Machine, startCluster, untilWhole } from './machines.ts';

const slotMs = 60_000;
/** Longest times in seconds without an answer and without an import, which docs/cluster.md promises. */
const promised = { reading: 15, writing: 60 };

describe('a cluster of three', { timeout: 900_000 }, () => {
  let cluster: Cluster;
  let entrances: readonly Entrance[] = [];
  const processes: Serving[] = [];
  let importer: Awaited<ReturnType<typeof startImporter>>;
  let watches: ReturnType<typeof startWatch>[];
  let reporter: ReturnType<typeof startReporter>;
  let collectors: readonly Serving[];

  before(async () => {
    cluster = await startCluster();
    entrances = [
      await cluster.startHaproxy(['db2', 'db3', 'db1']),
      await cluster.startHaproxy(['db3', 'db2', 'db1']),
    ];
    const [one] = entrances;
    await makeCollectingStore(one?.leader ?? '');
    importer = await startImporter(one?.leader ?? '');
    for (const { reading } of entrances)
      processes.push(await startServing(['--store', reading], { cwd: cluster.directory }));
    watches = processes.map(({ url }) => startWatch(url));
    const argv = ['--slot', '1m', '--per-address', '1000000'];
    collectors = await Promise.all(
      entrances.map(({ leader }) =>
        startServing(['--store', leader, ...argv], { command: 'collect', cwd: cluster.directory }),
      ),
    );
    processes.push(...collectors);
    reporter = startReporter(
      collectors.map(({ url }) => url),
      slotMs,
    );
    await settled();
  });

  after(async () => {
    for (const client of [importer, reporter, ...(watches ?? [])]) await client?.stop();
    for (const one of processes) one.signal('SIGKILL');
    await cluster?.[Symbol.asyncDispose]();
  });

  /** Waits until imports, reports and reads go on, and the cluster is whole. */
  async function settled(): Promise<void> {
    await untilWhole(cluster);
    const stored = importer.stored.length;
    const accepted = reporter.acceptedCount();
    await waitUntil(
      () =>
        importer.stored.length > stored + 1 &&
        reporter.acceptedCount() > accepted + 5 &&
        watches.every(({ latest }) => latest() >= (importer.stored.at(-2) ?? 0)),
      () =>
        [
          `after ${importer.stored.length - stored} imports, to ${importer.stored.at(-1)}: ${importer.failures.at(-1)}`,
          `after ${reporter.acceptedCount() - accepted} reports: ${reporter.statuses}`,
          ...watches.map((watch) => `a node at ${watch.latest()}: ${watch.refusal()}`),
        ].join('\n'),
      60_000,
    );
  }

  /** Attacks, waits until all goes on, and holds the clients to what they may see. */
  async function play(t: TestContext, attack: (leader: Machine) => Promise<void>): Promise<void> {
    let leader: Machine | undefined;
    await waitUntil(
      async () => {
        leader = await cluster.findLeader();
        return leader !== undefined;
      },
      () => 'there is no leader',
    );
    assert.ok(leader);
    for (const client of [importer, reporter, ...watches]) client.startTurn();
    await attack(leader);
    await settled();
    const [writing = 0, reporting = 0, ...reading] = [importer, reporter, ...watches].map(
      (client) => Math.round(client.longestGapMs() / 100) / 10,
    );
    // A row of docs/cluster.md.
    t.diagnostic(`| ${t.name} | ${reading.join(' and ')} | ${writing} | ${reporting} |`);
    for (const client of [importer, ...watches]) assert.deepEqual(client.faults, []);
    for (const gap of reading) assert.ok(gap <= promised.reading, `no read for ${gap} s`);
    assert.ok(writing <= promised.writing, `no import for ${writing} s`);
  }

  async function untilOtherLeader(old: Machine): Promise<void> {
    await waitUntil(
      async () => {
        const now = await cluster.findLeader();
        return now !== undefined && now !== old;
      },
      () => 'no other server leads',
    );
  }

  test('the standby of a node is killed', (t) =>
    play(t, async () => {
      const [, standby] = cluster.machines;
      standby?.signal('SIGKILL');
      await sleep(10_000);
      standby?.start();
    }));

  test('the leader is killed', (t) =>
    play(t, async (leader) => {
      leader.signal('SIGKILL');
      await untilOtherLeader(leader);
      leader.start();
    }));

  test('the leader hangs, until its watchdog resets it', (t) =>
    play(t, async (leader) => {
      leader.signal('SIGSTOP');
      await untilOtherLeader(leader);
      leader.signal('SIGKILL');
      leader.start();
    }));

  test('the leader is switched', (t) =>
    play(t, async (leader) => {
      const other = cluster.machines.find((machine) => machine !== leader);
      await cluster.control(
        'switchover',
        '--leader',
        leader.name,
        '--candidate',
        other?.name ?? '',
        '--force',
      );
      await untilOtherLeader(leader);
    }));

  test('the standby of a node hangs', (t) =>
    play(t, async (leader) => {
      const standby = cluster.machines.find((machine) => machine !== leader);
      standby?.signal('SIGSTOP');
      await sleep(20_000);
      standby?.signal('SIGCONT');
    }));

  test('etcd is away for longer than the ttl: reads and writes go on', (t) =>
    play(t, async () => {
      cluster.signalEtcd('SIGSTOP');
      await sleep(30_000);
      cluster.signalEtcd('SIGCONT');
    }));

  test('nothing that was confirmed is lost, on no server', async (t) => {
    // A slot that nothing disturbs.
    await sleep(2 * slotMs - (Date.now() % slotMs));
    await reporter.stop();
    // The slot of the last report is closed.
    await sleep(slotMs - (Date.now() % slotMs) + 40_000);
    await importer.stop();
    for (const watch of watches) await watch.stop();
    const exports = await Promise.all(cluster.machines.map(({ uri }) => exportFrom(parseStoreName(uri))));
    assert.equal(new Set(exports).size, 1, 'all servers hold the same');
    assert.deepEqual(
      await Array.fromAsync(parseStoreName(entrances[0]?.leader ?? '').check(recordChecker())),
      [],
    );
    const points = pointsIn(exports[0] ?? '');
    for (const chartId of chartIds) {
      const times = (points.get(chartId) ?? []).map(([time]) => time);
      assert.deepEqual(
        importer.stored.filter((time) => !times.includes(time)),
        [],
        chartId,
      );
    }
    const counted = new Map(points.get('servers'));
    const judged = reporter.judge(counted);
    assert.deepEqual(judged.faults, []);
    assert.ok(judged.counted > 0, 'no slot was counted');
    t.diagnostic(
      `${importer.stored.length} imports ended with exit code 0, ${importer.failures.length} failed; ` +
        `${judged.counted} slots counted, ${judged.leftOut} left out; ` +
        watches.map(({ answered, refused }) => `${answered()} answers, ${refused()} refused`).join('; '),
    );
    for (const one of processes) {
      one.signal('SIGTERM');
      assert.equal((await one.ended).code, 0);
    }
  });
});

/** The points of each chart of the test by id: time and value. */
function pointsIn(text: string): Map<string, [number, number][]> {
  const found = new Map<string, [number, number][]>();
  for (const line of text.split('\n'))
    if (line.startsWith('{"record":"data"')) {
      const { pluginId, chartId, data } = JSON.parse(line);
      if (pluginId === 7 || (pluginId === 1 && chartId === 'servers')) found.set(chartId, data);
    }
  return found;
}
