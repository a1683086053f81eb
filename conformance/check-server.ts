/** Checks a running server of the interface, given only its base URL. */

import { type Case, loadCases, type Profile } from './case-files.ts';
import type { ReadPath } from './catalogue.ts';
import { discoverFixtures } from './fixtures.ts';
import { sendRequest, type Target } from './http-client.ts';
import { parseJsonText } from './json-text.ts';
import { fill } from './placeholders.ts';
import { formatCommand } from './repeat-command.ts';
import type { Broken, NotApplicable, Report } from './report.ts';
import { runCase } from './run-case.ts';

/** Options of a check. */
export interface CheckOptions {
  /** `http://` or `https://`; may have a path in front of `/api`. */
  readonly baseUrl: string;
  /** The default is `contract`, which includes `interface`. */
  readonly profile?: Profile;
  /** Only the cases of these subjects; all by default. */
  readonly subjects?: readonly string[];
  /** Timeout for each answer; 10,000 by default. */
  readonly timeoutMs?: number;
}

/** The check could not begin: `usage` (the options are wrong) or `unreachable` (no response). */
export class CheckError extends Error {
  readonly code: 'usage' | 'unreachable';

  constructor(code: 'usage' | 'unreachable', message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Runs every case that applies. Rejects with a `CheckError` if the check could not begin. */
export async function checkServer(options: CheckOptions): Promise<Report> {
  const { baseUrl, profile = 'contract', timeoutMs = 10_000 } = options;
  const target: Target = { url: parseBaseUrl(baseUrl), timeoutMs };
  const { cases, vocabulary } = await loadCases();
  const chosen = chooseCases(cases, profile, options.subjects);
  await reach(target);
  const fixtures = await discoverFixtures(makeReader(target));
  const broken: Broken[] = [];
  const notApplicable: NotApplicable[] = [];
  let passed = 0;
  for (const testCase of chosen) {
    const { subject, rule } = testCase;
    const name = String(fill(testCase.name, (placeholder) => fixtures.get(placeholder)));
    const outcome = await runCase(testCase, { target, fixtures, vocabulary });
    if (outcome.kind === 'passed') passed += 1;
    else if (outcome.kind === 'notApplicable') notApplicable.push({ subject, name, needs: outcome.needs });
    else {
      const repeat = outcome.request === undefined ? '' : formatCommand(target.url, outcome.request);
      broken.push({ subject, name, rule, findings: outcome.findings, repeat });
    }
  }
  return { baseUrl, profile, passed, failed: broken.length, broken, notApplicable };
}

function parseBaseUrl(baseUrl: string): URL {
  const url = URL.parse(baseUrl);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new CheckError(
      'usage',
      `the base URL must be http://… or https://… without a query, not "${baseUrl}"`,
    );
  }
  return url;
}

function chooseCases(
  cases: readonly Case[],
  profile: Profile,
  subjects: readonly string[] | undefined,
): readonly Case[] {
  const known = new Set(cases.map(({ subject }) => subject));
  const stranger = subjects?.find((subject) => !known.has(subject));
  if (stranger !== undefined) {
    throw new CheckError('usage', `there is no subject "${stranger}"; there are ${[...known].join(', ')}`);
  }
  return cases.filter(
    (testCase) =>
      (profile === 'contract' || testCase.profile === 'interface') &&
      (subjects?.includes(testCase.subject) ?? true),
  );
}

async function reach(target: Target): Promise<void> {
  try {
    await sendRequest(target, {
      kind: 'http',
      method: 'GET',
      path: '/api/v1/plugins',
      headers: {},
      body: undefined,
    });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CheckError('unreachable', `no answer from ${target.url.href}: ${reason}`, { cause });
  }
}

function makeReader(target: Target): ReadPath {
  return async (path) => {
    try {
      const answer = await sendRequest(target, {
        kind: 'http',
        method: 'GET',
        path,
        headers: {},
        body: undefined,
      });
      return answer.status === 200 ? parseJsonText(answer.body.toString()).root : undefined;
    } catch {
      // An endpoint with a bad answer gives no fixtures; its own cases report the fault.
      return undefined;
    }
  };
}
