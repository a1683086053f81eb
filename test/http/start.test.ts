// What the server loads when it starts.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

test('the server starts without the client for WebSockets of Node', () => {
  const modulesAfter = (module: string) => {
    const code = `await import(${JSON.stringify(module)}); console.log(process.moduleLoadList.join('\\n'))`;
    return spawnSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8' }).stdout;
  };
  const client = /\bundici\/undici$/m;
  assert.match(modulesAfter('node:http'), client, 'an import of node:http loads it');
  const loaded = modulesAfter(import.meta.resolve('../../src/serve/serve.ts'));
  assert.match(loaded, /NativeModule _http_server$/m);
  assert.doesNotMatch(loaded, client);
});
