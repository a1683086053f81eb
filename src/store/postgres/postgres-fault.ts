/** Explains errors of the server, the network and pg to users. */
import pg from 'pg';
import { AppError } from '../../model/app-error.ts';
import { anotherImport } from '../wanted-store.ts';

// SQLSTATE (PostgreSQL 18, appendix A).
const insufficientPrivilege = '42501';
const syntaxError = '42601';
const undefinedTable = '42P01';
const lockNotAvailable = '55P03';
const characterNotInRepertoire = '22021';
const untranslatableCharacter = '22P05';

/** Turns an error into an AppError that names the store. Returns a bug of this program unchanged. */
export function postgresFault(error: unknown, storeName: string, otherwise = 'cannot be used'): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  const code = sqlState(error);
  if (error instanceof TypeError || code === syntaxError) return error;
  if (code === characterNotInRepertoire || code === untranslatableCharacter)
    return new AppError('invalid', 'PostgreSQL cannot hold the character U+0000', { cause: error });
  if (code === insufficientPrivilege)
    return unavailableStore(
      storeName,
      `${otherwise}: ${error.message}: "\\dt plugin_metrics.*" in psql names the role that has the rights`,
      error,
    );
  // The statements fit the tables that this program creates, so a table that refuses a statement has been
  // changed.
  const isDamaged = /^(22|23|42)/.test(code ?? '');
  const state = isDamaged ? 'is damaged' : otherwise;
  return unavailableStore(storeName, `${state}: ${faultReason(error)}`, error);
}

/** Makes the error for a store that cannot be used. @param fault describes the fault. */
export function unavailableStore(storeName: string, fault: string, cause?: unknown): AppError {
  return new AppError('store-unavailable', `the store ${storeName} ${fault}`, { cause });
}

const reasons: Readonly<Record<string, string>> = {
  ABORT_ERR: 'it does not answer',
  EAI_AGAIN: 'the name of the host cannot be looked up',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was cut',
  EHOSTUNREACH: 'no route to the host',
  ENOENT: 'there is no such socket',
  ENOTFOUND: 'there is no such host',
  ETIMEDOUT: 'it does not answer',
  [lockNotAvailable]: anotherImport,
};

/** Node's codes for certificates that no known root has signed. */
const unverified =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF_SIGNATURE))/;

/** Describes an error in one line. Errors of servers and networks contain no password. */
function faultReason(error: Error): string {
  // Node has tried all addresses of a host name.
  if (error instanceof AggregateError) return [...new Set(error.errors.map(faultReason))].join(', ');
  // These are pg's messages for a slow connection attempt and a slow statement.
  if (error.message === 'timeout expired' || error.message === 'Query read timeout')
    return 'it does not answer in time';
  if (/client password must be a string/.test(error.message))
    return 'it asks for a password, and neither the name, PGPASSWORD nor the password file has one';
  const code = 'code' in error ? String(error.code) : '';
  // Node's message continues with advice about an option of Node.
  if (unverified.test(code))
    return `its certificate cannot be verified (${error.message.split(';', 1)[0]}): sslrootcert must name the file of its root`;
  return reasons[code] ?? error.message;
}

/** True if a table, or its schema, does not exist. */
export function isMissingTable(error: unknown): boolean {
  return sqlState(error) === undefinedTable;
}

/** True if the role lacks a right. */
export function isNotAllowed(error: unknown): boolean {
  return sqlState(error) === insufficientPrivilege;
}

/**
 * True if the connection broke, or if the server (57P) or a pooler (08) ended it because the server shuts
 * down or has crashed.
 */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof Error && /^(57P|08|$)/.test(sqlState(error) ?? '');
}

/** Returns the SQLSTATE of a server's error; undefined for any other error. */
function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}
