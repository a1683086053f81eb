/** The three servers of ops/patroni/ on loopback addresses: etcd, Patroni and PostgreSQL, and HAProxy. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readDocument } from '../doc-tables.ts';
import { findTools } from '../failover/servers.ts';
import { findProgram } from '../ops/proxy.ts';
import { findServerUser, runOn, serverOptions } from '../postgres/server-process.ts';
import { freePort } from '../support/free-port.ts';
import { waitUntil } from '../support/wait-until.ts';

/** One of the three servers. */
export interface Machine {
  readonly name: string;
  /** Starts Patroni, which starts PostgreSQL. */
  readonly start: () => void;
  /** Sends a signal to Patroni and to all processes of PostgreSQL. */
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Runs SQL as the superuser. */
  readonly run: (sql: string) => Promise<Record<string, unknown>[]>;
  /** The database as the superuser. */
  readonly uri: string;
  /** Gets the status of Patroni's answer; 0 if there is none within a second. */
  readonly health: (path: string) => Promise<number>;
  /** The output of Patroni. */
  readonly log: () => string;
}

/** The cluster; disposing of it kills all its processes. */
export interface Cluster extends AsyncDisposable {
  readonly machines: readonly Machine[];
  /** Processes that work in this folder are killed with the cluster. */
  readonly directory: string;
  /** Sends a signal to all members of etcd. */
  readonly signalEtcd: (signal: NodeJS.Signals) => void;
  /** Starts HAProxy of a machine with the program; the first standby is that of the order. */
  readonly startHaproxy: (order: readonly string[]) => Promise<Entrance>;
  readonly findLeader: () => Promise<Machine | undefined>;
  /** Runs patronictl. */
  readonly control: (...argv: readonly string[]) => Promise<string>;
}

/** The ways to the database of one machine: URIs of the leader, and of a server to read from. */
export interface Entrance {
  readonly leader: string;
  readonly reading: string;
}

const names = ['db1', 'db2', 'db3'] as const;
const passwords: Readonly<Record<string, string>> = {
  'SUPERUSER-PASSWORD': 'superuser',
  'REPLICATION-PASSWORD': 'replication',
  'WRITER-PASSWORD': 'writer',
  'READER-PASSWORD': 'reader',
};

/** Starts the cluster, and makes the database and the roles. */
export async function startCluster(): Promise<Cluster> {
  const user = await findServerUser();
  const directory = mkdtempSync(join(tmpdir(), 'plugin-metrics-cluster-'));
  chmodSync(directory, 0o755);
  if (user !== undefined) chownSync(directory, user.uid, user.gid);
  const options = serverOptions(user, directory);
  const bin = findTools();
  const reaping = spawn('sh', ['-c', reaper, directory], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });

  const ports = new Map<string, number>();
  for (const port of ['2379', '2380', '8008', '5432']) ports.set(port, await freePort());
  // All of 127.0.0.0/8 is this machine, so each server has an address of its own, and all the same ports.
  const network = `127.${process.pid % 251}.${Math.floor(Math.random() * 250)}`;
  const placed = (file: string) =>
    Object.entries({ ...passwords, '/usr/lib/postgresql/15/bin': bin, '/var/run/postgresql': "''" })
      .reduce((text, [from, to]) => text.replaceAll(from, to), readDocument(`ops/patroni/${file}`))
      .replaceAll('10.0.0.0/24', '127.0.0.0/8')
      .replaceAll('10.0.0.', `${network}.`)
      .replaceAll(/(?<=:|port )(2379|2380|8008|5432)\b/g, (port) => String(ports.get(port)));
  /** The text with the name and the address of another server, up to what is the same on all. */
  const onMachine = (text: string, name: string) => {
    const own = (part: string) =>
      part.replaceAll('db1', name).replaceAll(`${network}.1:`, `${network}.${name.slice(2)}:`);
    return text.replaceAll(/^(?!ETCD_INITIAL_CLUSTER=| +hosts:).*$/gm, own);
  };

  const folderOf = (name: string) => {
    const folder = join(directory, name);
    mkdirSync(folder, { recursive: true });
    if (user !== undefined) chownSync(folder, user.uid, user.gid);
    return folder;
  };
  const start = (cwd: string, [program = '', ...argv]: readonly string[], env: NodeJS.ProcessEnv = {}) => {
    const child = spawn(program, argv, {
      ...options,
      cwd,
      env: { ...options.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let log = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => {
        log = (log + text).slice(-100_000);
      });
    return { child, log: () => log };
  };

  const etcd = names.map((name) => {
    const folder = folderOf(`${name}-etcd`);
    const settings = onMachine(placed('etcd'), name).replace('/var/lib/etcd', folder);
    const lines = settings.split('\n').filter((line) => line.startsWith('ETCD'));
    const env = Object.fromEntries(lines.map((line) => line.split(/=(.*)/).slice(0, 2)));
    return start(folder, [findProgram('etcd', 'etcd-server')], env);
  });

  const machines = names.map((name, index): Machine => {
    const home = folderOf(name);
    const file = join(home, 'config.yml');
    const settings = onMachine(placed('patroni.yml'), name).replaceAll('/var/lib/postgresql', home);
    // The disks of the tests do not lose power.
    writeFileSync(
      file,
      settings.replace(/^ {2}parameters:$/m, '$&\n    fsync: off\n    shared_buffers: 32MB'),
    );
    const address = `${network}.${index + 1}`;
    const uri = `postgres://postgres:superuser@${address}:${ports.get('5432')}/metrics`;
    let running: ReturnType<typeof start> | undefined;
    return {
      name,
      uri,
      start: () => {
        running = start(home, [findProgram('patroni'), file]);
      },
      signal: (signal) => {
        signalIn(home, signal);
      },
      run: (sql) => runOn(uri, sql),
      health: async (path) => {
        const url = `http://${address}:${ports.get('8008')}${path}`;
        const answer = await fetch(url, { signal: AbortSignal.timeout(1000) }).catch(() => undefined);
        await answer?.body?.cancel();
        return answer?.status ?? 0;
      },
      log: () => running?.log() ?? '',
    };
  });

  const cluster: Cluster = {
    machines,
    directory,
    signalEtcd: (signal) => {
      for (const { child } of etcd) child.kill(signal);
    },
    startHaproxy: async (order) => {
      const port = { leader: await freePort(), reading: await freePort() };
      // The lines of servers, in the order of this machine.
      const [before = '', reading = ''] = placed('haproxy.cfg').split(/(?=listen reading)/);
      const listed = order.map((name, index) => {
        const address = `${network}.${name.slice(2)}:${ports.get('5432')}`;
        return `    server ${name} ${address}${index === 0 ? '' : ' backup'}\n`;
      });
      const config = `${before}${reading.replaceAll(/^ {4}server .*\n/gm, '')}${listed.join('')}`
        .replaceAll(/^ {4}(user|group) .*\n/gm, '')
        .replace(/bind 127\.0\.0\.1:\d+/, `bind 127.0.0.1:${port.leader}`)
        .replace('bind 127.0.0.1:5433', `bind 127.0.0.1:${port.reading}`);
      const file = join(directory, `haproxy-${port.leader}.cfg`);
      writeFileSync(file, config);
      const { child, log } = start(directory, [findProgram('haproxy'), '-db', '-f', file]);
      const uri = (role: string, password: string, to: number) =>
        `postgres://${role}:${password}@127.0.0.1:${to}/metrics?connect_timeout=2`;
      const entrance = {
        leader: uri('metrics_writer', 'writer', port.leader),
        reading: uri('metrics_reader', 'reader', port.reading),
      };
      let fault: unknown;
      const isOpen = (name: string, question = 'select 1') =>
        runOn(name, question).then(Boolean, (error) => {
          fault = error;
          return false;
        });
      // HAProxy takes every server for up until its first checks, and each in its turn.
      const leads = async () => {
        for (const _ of machines)
          if (!(await isOpen(entrance.leader, 'select 1 / (not pg_is_in_recovery())::int'))) return false;
        return true;
      };
      await waitUntil(
        async () => (await leads()) && (await isOpen(entrance.reading)),
        () => `no way through HAProxy: ${fault} ${child.exitCode} ${log()}`,
        30_000,
      );
      return entrance;
    },
    findLeader: async () => {
      for (const machine of machines) if ((await machine.health('/primary')) === 200) return machine;
      return undefined;
    },
    control: async (...argv) => {
      const file = join(directory, 'db1', 'config.yml');
      const { stdout } = await promisify(execFile)(
        findProgram('patronictl', 'patroni'),
        ['-c', file, ...argv],
        options,
      );
      return stdout;
    },
    [Symbol.asyncDispose]: async () => {
      reaping.stdin.end();
      await once(reaping, 'exit');
    },
  };

  try {
    const [first, ...others] = machines;
    first?.start();
    await waitUntil(
      async () => (await cluster.findLeader()) !== undefined,
      () => `there is no leader: ${first?.log()} ${etcd[0]?.log()}`,
    );
    for (const machine of others) machine.start();
    const file = join(directory, 'prepare.sql');
    writeFileSync(file, placed('prepare.sql'));
    const psql = [
      '-v',
      'ON_ERROR_STOP=1',
      '-h',
      `${network}.1`,
      '-p',
      `${ports.get('5432')}`,
      '-U',
      'postgres',
      '-f',
      file,
    ];
    const env = { ...options.env, PGPASSWORD: passwords['SUPERUSER-PASSWORD'] };
    await promisify(execFile)('psql', psql, { ...options, env });
    await untilWhole(cluster);
    return cluster;
  } catch (error) {
    await cluster[Symbol.asyncDispose]();
    throw error;
  }
}

/** Waits until there is a leader that waits for both standbys. */
export async function untilWhole(cluster: Cluster): Promise<void> {
  const counts = `select count(*)::integer as count from pg_stat_replication where sync_state = 'sync'`;
  await waitUntil(
    async () => {
      const leader = await cluster.findLeader();
      const rows = await leader?.run(counts).catch(() => undefined);
      return rows?.[0]?.['count'] === 2;
    },
    () =>
      `the cluster is not whole:\n${cluster.machines.map(({ name, log }) => `${name}: ${log().slice(-2000)}`).join('\n')}`,
    90_000,
  );
}

/** Sends a signal to all processes that work in a folder: a server and its children, and Patroni. */
function signalIn(folder: string, signal: NodeJS.Signals): void {
  for (const id of readdirSync('/proc').map(Number).filter(Boolean))
    try {
      if (`${readlinkSync(`/proc/${id}/cwd`)}/`.startsWith(`${folder}/`)) process.kill(id, signal);
    } catch (error) {
      // The process has ended since it was listed, or belongs to another user.
      if (!(error instanceof Error && 'code' in error && /^(ESRCH|ENOENT|EACCES)$/.test(`${error.code}`)))
        throw error;
    }
}

/**
 * Kills all processes that work in a folder, and removes it, when standard input ends: with the test, however
 * that ends. Those of PostgreSQL are no children of the test.
 */
const reaper = `cat
found=1
until [ -z "$found" ]; do
  found=
  for one in /proc/[0-9]*; do
    case "$(readlink "$one/cwd")/" in "$0"/*) kill -9 "\${one#/proc/}" && found=1 ;; esac
  done
done
rm -rf "$0"`;
