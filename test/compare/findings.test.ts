// Differences between outcomes, the list of those that are meant, and the report.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Findings } from '../../compare/findings.ts';
import type { MeantDifference } from '../../compare/intended.ts';
import type { Outcome } from '../../compare/outcome.ts';
import { renderReport } from '../../compare/report.ts';

const reason = 'a reason';

/** Judges one request to which the builds answered so. */
function judge(
  outcomes: { readonly earlier: object; readonly present: object },
  meant: readonly MeantDifference[] = [],
): Findings {
  const findings = new Findings(meant);
  const [earlier, present]: Outcome[] = [outcomes.earlier, outcomes.present].map(
    (one) => new Map(Object.entries(one)),
  );
  assert.ok(earlier && present);
  findings.judge({ kind: 'pages', asked: 'sample: GET /about', earlier, present });
  return findings;
}

const partsOf = ({ found }: Findings) => found.map(({ part, earlier, present }) => [part, earlier, present]);

test('a part that differs, is new or is gone is a difference, and each byte counts', () => {
  const earlier = { status: '200', 'header vary': 'Accept', body: Buffer.from('é') };
  const present = { status: '200', 'header allow': 'GET', body: Buffer.from('é', 'latin1') };
  assert.deepEqual(partsOf(judge({ earlier, present })), [
    ['header vary', 'Accept', '(none)'],
    ['body', 'é', 'bytes é'],
    ['header allow', '(none)', 'GET'],
  ]);
});

test('a difference is meant if an entry names its part and its request', () => {
  const outcomes = { earlier: { status: '400', body: 'a' }, present: { status: '414', body: 'b' } };
  const entry = { asked: /\/about/, part: /^status$/, reason };
  assert.deepEqual(partsOf(judge(outcomes, [entry])), [['body', 'a', 'b']]);
  assert.equal(judge(outcomes, [{ ...entry, asked: /\/compare/ }]).found.length, 2);
  assert.deepEqual(judge(outcomes, [entry, { ...entry, part: /^header vary$/ }]).unused, [
    { ...entry, part: /^header vary$/ },
  ]);
});

test('of a text that is meant to change, the rest may not', () => {
  const entry = { asked: /./, part: /^stdout$/, from: ', gzip or zstd', to: ' or gzip', reason };
  const earlier = { stdout: 'plain, gzip or zstd; - is standard input' };
  assert.deepEqual(
    judge({ earlier, present: { stdout: 'plain or gzip; - is standard input' } }, [entry]).found,
    [],
  );
  const present = { stdout: 'plain or gzip; - is standard output' };
  assert.deepEqual(partsOf(judge({ earlier, present }, [entry])), [
    ['stdout', 'plain; - is standard input', 'plain; - is standard output'],
  ]);
});

test('the report names what is meant and differs nowhere, if everything was compared', () => {
  const findings = judge({ earlier: {}, present: {} }, [{ asked: /a/, part: /b/, reason }]);
  assert.match(renderReport(findings, { isWhole: true }), /^note: .* a reason$/m);
  assert.doesNotMatch(renderReport(findings, { isWhole: false }), /note/);
});
