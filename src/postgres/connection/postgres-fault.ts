/** What can go wrong with the server, in words for a user. */
import pg from 'pg';
import { AppError } from '../../model/app-error.ts';

/** Classes of SQLSTATE that only a mistake in this program can bring about (PostgreSQL 18, appendix A). */
const bugClasses = new Set(['0A', '21', '22', '23', '26', '34', '42']);
const insufficientPrivilege = '42501';
const undefinedTable = '42P01';
const lockNotAvailable = '55P03';

/** What was thrown as an AppError `unavailable` that names the store; what is a bug stays as it is. */
export function postgresFault(error: unknown, storeName: string): unknown {
  if (error instanceof AppError) return error;
  if (!(error instanceof Error) || isBug(error)) return error;
  return new AppError('unavailable', `the store ${storeName} cannot be used: ${faultReason(error)}`, {
    kind: 'store-unavailable',
    cause: error,
  });
}

/** One line about what was thrown. No password is in what a server or the network says. */
export function faultReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Several addresses of one name: node tries them all.
  if (error instanceof AggregateError) return error.errors.map(faultReason).join(', ');
  const code = codeOf(error);
  if (code === lockNotAvailable) return 'another import is under way and does not end';
  const known: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'nothing listens there',
    ENOTFOUND: 'there is no such host',
    EAI_AGAIN: 'the name of the host cannot be looked up',
    ENOENT: 'there is no such socket or file',
    EHOSTUNREACH: 'there is no way to the host',
    ETIMEDOUT: 'it does not answer',
    ECONNRESET: 'the connection was cut',
  };
  if (error.message === 'timeout expired') return 'it does not answer in time';
  return known[code ?? ''] ?? error.message;
}

/** Whether the table or the schema that was asked is not there. */
export function isMissingTable(error: unknown): boolean {
  return sqlState(error) === undefinedTable;
}

/** The SQLSTATE that a server gave; undefined for what is no server's error. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** Whether the same question may be answered on another connection: this one broke, or its server let go of it. */
export function isWorthRetry(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (!(error instanceof pg.DatabaseError)) return !(error instanceof AppError);
  // Shutdown and crash of the server; a standby that had to drop what the statement was reading.
  return error.code?.startsWith('57P') === true || error.code === '40001';
}

function isBug(error: Error): boolean {
  if (!(error instanceof pg.DatabaseError)) return error instanceof TypeError;
  const { code = '' } = error;
  return bugClasses.has(code.slice(0, 2)) && code !== insufficientPrivilege && code !== undefinedTable;
}

function codeOf(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
