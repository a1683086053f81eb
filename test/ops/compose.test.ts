/** The compose files, checked by reading: there is no Docker here to run them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { clientSettings } from '../../src/cli/commands/serve.ts';
import { parseStoreName } from '../../src/cli/store-name.ts';
import { readDocument } from '../doc-tables.ts';
import { imageEnvironment } from './dockerfile.ts';

interface Service {
  readonly image: string;
  readonly build?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly stop_grace_period?: string;
  readonly profiles?: readonly string[];
  readonly command?: readonly string[];
  readonly mem_limit?: string;
  readonly ulimits?: Readonly<Record<string, number>>;
  readonly logging?: { readonly options: Readonly<Record<string, string>> };
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
}

/** Its table is generated from the settings. */
const known = readDocument('docs/command-line.md').match(/\bPLUGIN_METRICS_\w+/g) ?? [];

for (const file of ['ops/compose.sqlite.yaml', 'ops/compose.postgres.yaml']) {
  const { services } = parse(readDocument(file), { merge: true }) as Compose;
  const programs = Object.entries(services).filter(([, { image }]) => image === 'plugin-metrics');

  test(`${file} runs the program without privileges, on a read-only file system, with bounds`, () => {
    assert.ok(programs.length > 0);
    for (const [, service] of programs) {
      assert.equal(service.build, '..');
      assert.equal(service.read_only, true);
      assert.deepEqual(service.cap_drop, ['ALL']);
      assert.deepEqual(service.security_opt, ['no-new-privileges:true']);
      assert.equal(service.mem_limit, '1g');
      assert.deepEqual(service.ulimits, { nofile: 65_536 });
      assert.deepEqual(Object.keys(service.logging?.options ?? {}), ['max-size', 'max-file']);
      assert.ok(service.tmpfs?.includes(imageEnvironment()['XDG_CACHE_HOME'] ?? 'unset'));
    }
  });

  test(`${file} publishes only the interface and the collector, on loopback, and waits for a stop`, () => {
    const portsInside: Readonly<Record<string, number>> = { serve: 8080, collect: 8090 };
    for (const [name, { ports = [], stop_grace_period: grace }] of Object.entries(services)) {
      const inside = portsInside[name];
      assert.equal(ports.length > 0, inside !== undefined, name);
      for (const port of ports) assert.match(port, new RegExp(`^127\\.0\\.0\\.1:[\\d-]+:${inside}$`));
      if (inside !== undefined) assert.ok(Number.parseInt(grace ?? '', 10) > 10);
    }
  });

  test(`${file} starts a collector only with its profile, and trusts the networks of Docker`, () => {
    const { profiles, command, environment = {} } = services['collect'] ?? assert.fail('no collect');
    assert.deepEqual([profiles, command], [['collect'], ['collect']]);
    assert.equal(environment['PLUGIN_METRICS_PORT'], '8090');
    const proxies = clientSettings.trustProxy.parse(environment['PLUGIN_METRICS_TRUST_PROXY'] ?? '');
    assert.ok(proxies?.includes('172.16.0.0/12'));
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
