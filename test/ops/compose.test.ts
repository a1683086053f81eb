/** The compose files, checked by reading: there is no Docker here to run them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { parseStoreName } from '../../src/cli/store-name.ts';
import { readDocument } from '../doc-tables.ts';
import { imageEnvironment } from './dockerfile.ts';

interface Service {
  readonly image: string;
  readonly build?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly configs?: readonly { readonly source: string }[];
  readonly depends_on?: Readonly<Record<string, object>>;
  readonly tmpfs?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly stop_grace_period?: string;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: object;
  readonly configs?: object;
}

/** Its table is generated from the settings. */
const known = readDocument('docs/command-line.md').match(/\bPLUGIN_METRICS_\w+/g) ?? [];

for (const file of ['ops/compose.sqlite.yaml', 'ops/compose.postgres.yaml']) {
  const { services, volumes, configs = {} } = parse(readDocument(file), { merge: true }) as Compose;
  const programs = Object.entries(services).filter(([, { image }]) => image === 'plugin-metrics');

  test(`${file} names only what it defines`, () => {
    for (const [name, service] of Object.entries(services)) {
      for (const volume of service.volumes ?? [])
        assert.ok((volume.split(':')[0] ?? '') in volumes, `${name}: ${volume}`);
      for (const { source } of service.configs ?? []) assert.ok(source in configs, `${name}: ${source}`);
      for (const other of Object.keys(service.depends_on ?? {}))
        assert.ok(other in services, `${name}: ${other}`);
    }
  });

  test(`${file} runs the program without privileges, on a read-only file system`, () => {
    assert.ok(programs.length > 0);
    for (const [, service] of programs) {
      assert.equal(service.build, '..');
      assert.equal(service.read_only, true);
      assert.deepEqual(service.cap_drop, ['ALL']);
      assert.deepEqual(service.security_opt, ['no-new-privileges:true']);
      assert.ok(service.tmpfs?.includes(imageEnvironment()['XDG_CACHE_HOME'] ?? 'unset'));
    }
  });

  test(`${file} publishes only the interface, on loopback, and waits for a stop`, () => {
    const { ports = [], stop_grace_period: grace } = services['serve'] ?? assert.fail('no serve');
    assert.ok(ports.length > 0);
    for (const port of ports) assert.match(port, /^127\.0\.0\.1:[\d-]+:8080$/);
    assert.ok(Number.parseInt(grace ?? '', 10) > 10);
    for (const [name, service] of Object.entries(services))
      if (name !== 'serve') assert.equal(service.ports, undefined, name);
  });

  test(`${file} gives the program only existing settings`, () => {
    for (const [, { environment = {} }] of programs) {
      for (const name of Object.keys(environment).filter((one) => one.startsWith('PLUGIN_METRICS_')))
        assert.ok(
          known.some((one) => one === name),
          name,
        );
      const store = environment['PLUGIN_METRICS_STORE'];
      if (store !== undefined) parseStoreName(store);
    }
  });
}

test('the commands in docs/operating.md name existing compose files and services', () => {
  const calls = [
    ...readDocument('docs/operating.md').matchAll(
      /docker compose --file (\S+) (?:(?:run|exec) (?:--(?:volume|entrypoint) \S+ |--\S+ )*(\S+)|cp (\w+):)/g,
    ),
  ];
  assert.ok(calls.length > 5);
  for (const [call, file = '', run, copied] of calls) {
    const { services } = parse(readDocument(file), { merge: true }) as Compose;
    assert.ok((run ?? copied ?? '') in services, call);
  }
});
