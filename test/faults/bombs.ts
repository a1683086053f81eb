/**
 * Decompression bombs, in archives and from other servers: refused in bounded memory. Run by `npm run
 * test:faults`.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { AppError } from '../../src/model/app-error.ts';
import { endOf, type Run, startProgram } from '../support/run-program.ts';
import { fc } from '../support/seed.ts';
import { directoryOfFile, temporaryDirectory } from '../support/temporary-directory.ts';
import { pluginRoutes, type Reply, serveRoutes } from '../upstream/dialect-server.ts';
import { emptyMirror, fastClock, mirrorOnce } from '../upstream/mirror-into.ts';
import { amount } from './support/form.ts';
import { exportGood } from './support/interrupted-import.ts';

const directory = directoryOfFile();

/** The program alone takes 70 to 90 MiB; a record may have 16 MiB, and a body 64 MiB. */
const mostMebibytes = 450;
const mebibyte = 1024 * 1024;
const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const codings = {
  gzip: (bytes: Uint8Array) => gzipSync(bytes),
  br: (bytes: Uint8Array) => brotliCompressSync(bytes, quick),
  zstd: (bytes: Uint8Array) => zstdCompressSync(bytes),
};

for (const coding of ['gzip', 'zstd'] as const) {
  for (const [what, pattern] of Object.entries({ 'one string': 'x', brackets: '[', 'line feeds': '\n' })) {
    test(`3 GiB of ${what} in a ${coding} archive are refused in bounded memory`, async (t) => {
      const file = directory.at('bomb');
      const part = codings[coding](Buffer.alloc(16 * mebibyte, pattern));
      const begin = codings[coding](
        Buffer.from('{"record":"archive","version":1}\n{"record":"data","data":['),
      );
      writeFileSync(file, Buffer.concat([begin, ...new Array<Buffer>(192).fill(part)]));
      const store = directory.at('bomb.db');
      const { run, peak } = await watched(['import', '--store', store, file]);
      t.diagnostic(`at most ${peak} MiB`);
      assert.equal(run.code, 1);
      assert.match(run.stderr, /^error: \S+bomb:\d+: [^\n]+\n$/);
      assert.ok(peak < mostMebibytes, `${peak} MiB`);
      assert.deepEqual(directory.entriesLike('bomb.db'), []);
    });
  }
}

for (const [coding, compress] of Object.entries(codings)) {
  test(`half a GiB in a few bytes of ${coding} from another server is refused in bounded memory`, async (t) => {
    const bomb = compress(Buffer.alloc(512 * mebibyte, ' '));
    const reply = { headers: { 'Content-Encoding': coding }, body: bomb };
    await using server = await serveRoutes({ ...pluginRoutes(), '/plugins/7': reply });
    const store = directory.at('mirror.db');
    const argv = ['mirror', server.url, '--plugin', '7', '--rate', '1000', '--store', store];
    const { run, peak } = await watched(argv);
    t.diagnostic(`${bomb.length} bytes; at most ${peak} MiB`);
    assert.equal(run.code, 1);
    assert.match(run.stderr, /the body has more than 67108864 bytes/);
    assert.ok(peak < mostMebibytes, `${peak} MiB`);
    assert.ok(!existsSync(store));
  });
}

const fuzzCount = amount({ quick: 150, long: 20_000 });
test(`${fuzzCount} servers with mutated responses leave a good store, or none`, async (t) => {
  const good = pluginRoutes();
  const texts = Object.entries(good).map(
    ([path, reply]) => [path, JSON.stringify((reply as Reply).body)] as const,
  );
  await using server = await serveRoutes(good);
  const junk = fc.constantFrom(
    ...['null', '[]', '{}', '"', '1e999', '-1', ',', '9007199254740993', '\\ud800', '__proto__'],
  );
  const change = fc.record({
    route: fc.nat(),
    at: fc.nat(),
    deleted: fc.nat(12),
    inserted: fc.oneof(junk, fc.string()),
  });
  const outcomes = { stored: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
      using own = temporaryDirectory();
      for (const [path, reply] of Object.entries(good)) server.routes.set(path, reply);
      for (const { route, at, deleted, inserted } of changes) {
        const [path, text] = texts[route % texts.length] ?? assert.fail();
        const from = at % text.length;
        const body = text.slice(0, from) + inserted + text.slice(from + deleted);
        server.routes.set(path, { headers: { 'Content-Type': 'application/json' }, body });
      }
      const mirror = emptyMirror(own.path);
      const isWhole = await mirrorOnce(mirror, server.url, { clock: fastClock(), timeoutMs: 1000 }).then(
        ({ failures }) => failures.length === 0,
        // A list that cannot be read ends the run.
        (error: unknown) => !(error instanceof AppError) && assert.fail(String(error)),
      );
      if (existsSync(mirror.path)) await exportGood(mirror.path);
      outcomes[isWhole ? 'stored' : 'refused']++;
    }),
    { numRuns: fuzzCount },
  );
  t.diagnostic(JSON.stringify(outcomes));
  assert.ok(outcomes.stored > 0 && outcomes.refused > 0, JSON.stringify(outcomes));
});

/** Runs the program and measures its peak memory. */
async function watched(argv: readonly string[]): Promise<{ readonly run: Run; readonly peak: number }> {
  const child = startProgram(argv);
  child.stdin.end();
  let peak = 0;
  const timer = setInterval(() => {
    const status = existsSync(`/proc/${child.pid}/status`)
      ? readFileSync(`/proc/${child.pid}/status`, 'utf8')
      : '';
    peak = Math.max(peak, Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0));
  }, 10);
  const run = await endOf(child);
  clearInterval(timer);
  return { run, peak: Math.round(peak / 1024) };
}
