/** Errors of the server, of the network and of pg, in words for a user. */
import pg from 'pg';
import { AppError } from '../../model/app-error.ts';

// SQLSTATE (PostgreSQL 18, appendix A).
const insufficientPrivilege = '42501';
const syntaxError = '42601';
const undefinedTable = '42P01';
const lockNotAvailable = '55P03';
const characterNotInRepertoire = '22021';

/** An error as an AppError that names the store; a bug of this program stays as it is. */
export function postgresFault(error: unknown, storeName: string): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  const code = sqlState(error);
  if (error instanceof TypeError || code === syntaxError) return error;
  if (code === characterNotInRepertoire)
    return new AppError('invalid', 'PostgreSQL cannot hold the character U+0000', { cause: error });
  // The statements fit the tables that the program makes; tables that refuse them have been changed.
  const isDamaged = code !== insufficientPrivilege && /^(22|23|42)/.test(code ?? '');
  const state = isDamaged ? 'is damaged' : 'cannot be used';
  return new AppError('unavailable', `the store ${storeName} ${state}: ${faultReason(error)}`, {
    kind: 'store-unavailable',
    cause: error,
  });
}

const reasons: Readonly<Record<string, string>> = {
  ABORT_ERR: 'it does not answer',
  EAI_AGAIN: 'the name of the host cannot be looked up',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  EHOSTUNREACH: 'there is no way to the host',
  ENOENT: 'there is no such socket or file',
  ENOTFOUND: 'there is no such host',
  ETIMEDOUT: 'it does not answer',
  [lockNotAvailable]: 'another import is running and does not end',
};

/** One line about an error. Neither servers nor networks repeat a password. */
function faultReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A host name with several addresses: Node tries them all.
  if (error instanceof AggregateError) return error.errors.map(faultReason).join(', ');
  // The words of pg for a connection attempt that takes too long, and ours for a query.
  if (error.message === 'timeout expired') return 'it does not answer in time';
  const code = 'code' in error ? String(error.code) : '';
  return reasons[code] ?? error.message;
}

/** Codes of Node for a certificate that no known root has signed. */
const unverified = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];

/** As {@link faultReason}, for a connection whose server may have a certificate that is not trusted. */
export function connectFaultReason(error: unknown, rootCertificate: string | undefined): string {
  const reason = faultReason(error);
  const isUnverified = error instanceof Error && 'code' in error && unverified.includes(String(error.code));
  if (!isUnverified) return reason;
  // Node goes on with an option of its own.
  const [fault = reason] = reason.split(';', 1);
  const root =
    rootCertificate === undefined
      ? 'no root certificate is given; name its file in sslrootcert or PGSSLROOTCERT'
      : `the root certificate of sslrootcert, ${rootCertificate}, has not signed it`;
  return `its certificate cannot be verified (${fault}): ${root}`;
}

/** Whether a table, or the schema around it, does not exist. */
export function isMissingTable(error: unknown): boolean {
  return sqlState(error) === undefinedTable;
}

/** The SQLSTATE of a server's error; undefined for any other error. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** Whether a server ends the connection with this error: it shuts down, or has crashed. */
export function isServerGone(error: unknown): boolean {
  return sqlState(error)?.startsWith('57P') ?? false;
}

/** Whether a retry on another connection may succeed: this one broke, or its server let go of it. */
export function isWorthRetry(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof AppError) return false;
  const code = sqlState(error);
  // A standby had to drop what the statement was reading.
  return code === undefined || code === '40001' || isServerGone(error);
}
