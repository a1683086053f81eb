/**
 * The comparison of a build with itself, of which one copy says something else in a few places: each is found, and nothing else.
 * Run by `npm run test:compare`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildWorkingTree } from '../../build/commit-build.ts';
import { compareBuilds, partNames } from '../../compare/compare-builds.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { type Change, changedBuild } from './changed-program.ts';

/** A change, with the part in which it must be found. */
interface FoundChange extends Change {
  readonly part: string;
}

const changes: readonly FoundChange[] = [
  { asked: 'GET /api/v1/software', from: 'Bukkit', to: 'Bukkjt', part: 'body' },
  {
    asked: 'GET /api/v2/software',
    from: 'public, max-age=60',
    to: 'public, max-age=61',
    part: 'header cache-control',
  },
  { asked: 'GET /api/v1/plugins/424242', from: '404 Not Found', to: '400 Not Found', part: 'status' },
  { asked: 'GET /embed/1337/servers.svg', from: '</svg>', to: '</svh>', part: 'body' },
  { asked: 'GET /embed/1.png?width=200&height=100', from: 'IDAT', to: 'IDAU', part: 'body' },
  {
    asked: 'OPTIONS /api/v1/plugins',
    from: 'Allow: GET, HEAD, OPTIONS',
    to: 'Allow: GET, HEAD',
    part: 'header allow',
  },
  { asked: 'GET /about', from: '<title>', to: '<title> ', part: 'body' },
  { asked: 'export --store random.db', from: '"record":"end"', to: '"record":"End"', part: 'stdout' },
  { asked: 'stats --json --store random.db', from: '"software":', to: '"Software":', part: 'stdout' },
  {
    asked: 'import refused/0 --store refused-0.db',
    from: 'valid JSON',
    to: 'good JSON',
    part: 'stderr',
  },
];

test('a build beside itself differs in nothing but what was changed in it', async (t) => {
  using directory = temporaryDirectory();
  const earlier = await buildWorkingTree();
  const present = changedBuild(earlier, changes, directory.at('changed'));
  const findings = await compareBuilds({
    builds: { earlier, present },
    folder: directory.at('work'),
    meant: [],
    parts: partNames,
    seed: '1',
    say: (line) => t.diagnostic(line),
  });
  const found = findings.found.map(({ asked, part }) => `${asked}: ${part}`);
  const isOf =
    ({ asked, part }: FoundChange) =>
    (text: string) =>
      text.includes(asked.replace(/^import.*/, 'import of')) && text.endsWith(`: ${part}`);
  assert.deepEqual(
    changes.filter((change) => !found.some(isOf(change))),
    [],
    'each change is found',
  );
  assert.deepEqual(
    found.filter((text) => !changes.some((change) => isOf(change)(text))),
    [],
    'nothing else is found',
  );
});
