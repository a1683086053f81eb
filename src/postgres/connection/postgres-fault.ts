/** Explains errors of the server, the network and pg to users. */
import pg from 'pg';
import { AppError } from '../../model/app-error.ts';

// SQLSTATE (PostgreSQL 18, appendix A).
const insufficientPrivilege = '42501';
const syntaxError = '42601';
const undefinedTable = '42P01';
const lockNotAvailable = '55P03';
const characterNotInRepertoire = '22021';

/** Turns an error into an AppError that names the store; a bug of this program stays as it is. */
export function postgresFault(error: unknown, storeName: string): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  const code = sqlState(error);
  if (error instanceof TypeError || code === syntaxError) return error;
  if (code === characterNotInRepertoire)
    return new AppError('invalid', 'PostgreSQL cannot hold the character U+0000', { cause: error });
  // The statements fit the tables that the program creates: if a table refuses one, it was changed.
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
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was cut',
  EHOSTUNREACH: 'no route to the host',
  ENOENT: 'there is no such socket or file',
  ENOTFOUND: 'there is no such host',
  ETIMEDOUT: 'it does not answer',
  [lockNotAvailable]: 'another import is running and does not end',
};

/** Describes an error in one line. Errors of servers and networks contain no password. */
function faultReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A host name with several addresses, all of which Node has tried.
  if (error instanceof AggregateError) return error.errors.map(faultReason).join(', ');
  // The message of pg for a slow connection attempt, and of postgres-connection.ts for a slow query.
  if (error.message === 'timeout expired') return 'it does not answer in time';
  const code = 'code' in error ? String(error.code) : '';
  return reasons[code] ?? error.message;
}

/** Node's codes for a certificate that no known root has signed. */
const unverified = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];

/** Describes an error of connecting, with advice for a certificate that is not trusted. */
export function connectFaultReason(error: unknown, rootCertificate: string | undefined): string {
  const reason = faultReason(error);
  const isUnverified = error instanceof Error && 'code' in error && unverified.includes(String(error.code));
  if (!isUnverified) return reason;
  // Node's own message goes on with advice about an option of Node.
  const [fault = reason] = reason.split(';', 1);
  const root =
    rootCertificate === undefined
      ? 'no root certificate is given; name its file in sslrootcert or PGSSLROOTCERT'
      : `the root certificate of sslrootcert, ${rootCertificate}, has not signed it`;
  return `its certificate cannot be verified (${fault}): ${root}`;
}

/** True if a table, or its schema, does not exist. */
export function isMissingTable(error: unknown): boolean {
  return sqlState(error) === undefinedTable;
}

/** Returns the SQLSTATE of a server's error; undefined for any other error. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** True for an error with which a server ends the connection, because it shuts down or crashed. */
export function isServerGone(error: unknown): boolean {
  return sqlState(error)?.startsWith('57P') ?? false;
}

/** True if a retry on another connection may succeed, because this one broke or its server ended it. */
export function isWorthRetry(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof AppError) return false;
  const code = sqlState(error);
  // A standby had to remove rows that the statement was reading.
  return code === undefined || code === '40001' || isServerGone(error);
}
