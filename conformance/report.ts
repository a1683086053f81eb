/** The outcome of a run, and its printed form. */

import type { Profile } from './case-files.ts';
import type { Finding } from './finding.ts';

/** A case that failed. */
export interface Broken {
  readonly subject: string;
  readonly name: string;
  readonly rule: string;
  readonly findings: readonly Finding[];
  /** The shell command that makes the request again. */
  readonly repeat: string;
}

/** A case that the server has no data for: neither passed nor failed. */
export interface NotApplicable {
  readonly subject: string;
  readonly name: string;
  readonly needs: string;
}

/** The outcome of a run. */
export interface Report {
  readonly baseUrl: string;
  readonly profile: Profile;
  readonly passed: number;
  readonly failed: number;
  readonly broken: readonly Broken[];
  readonly notApplicable: readonly NotApplicable[];
}

/** One line per broken rule, one per case without data, and `N passed, N failed` alone on the last. */
export function formatReport(report: Report): string {
  const lines = [
    ...report.notApplicable.map(
      ({ subject, name, needs }) => `n/a     ${subject}: ${name} (it has not: ${needs})`,
    ),
    ...report.broken.map(formatBroken),
    `${report.passed} passed, ${report.failed} failed`,
  ];
  return `${lines.join('\n')}\n`;
}

function formatBroken({ subject, name, rule, findings, repeat }: Broken): string {
  const seen = findings.map(({ expected, got }) => `expected ${expected}, got ${got}`).join('; ');
  return `FAILED  ${subject}: ${name} [${rule}]: ${seen} | ${repeat}`;
}
