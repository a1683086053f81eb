/** Prints a request as a shell command, so that the reader of a report can repeat it. */

import { basePath } from './http-client.ts';
import { replaceTimes } from './placeholders.ts';
import type { CaseRequest } from './request.ts';

/** The `curl` command (for raw bytes: `printf … | nc`) that makes the request. */
export function formatCommand(base: URL, request: CaseRequest): string {
  if (request.kind === 'raw') return formatRaw(base, request.raw);
  const words = ['curl -sig --path-as-is'];
  if (request.method === 'HEAD') words.push('--head');
  else if (request.method !== 'GET' || request.body !== undefined) words.push(`-X ${quote(request.method)}`);
  for (const [name, value] of Object.entries(request.headers)) {
    // curl leaves out a header without a value, unless a semicolon ends its name.
    words.push(`-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`);
  }
  if (request.body !== undefined) words.push(`--data-binary ${quote(request.body)}`);
  return [...words, quote(`${base.origin}${basePath(base)}${request.path}`)].join(' ');
}

function formatRaw(base: URL, raw: string): string {
  const secure = base.protocol === 'https:';
  const port = base.port === '' ? (secure ? '443' : '80') : base.port;
  const client = secure
    ? `openssl s_client -quiet -connect ${base.hostname}:${port}`
    : `nc -w 2 ${base.hostname} ${port}`;
  const format = [...raw].map(escapeForPrintf).join('');
  return `printf ${quote(format)} | ${client}`;
}

function escapeForPrintf(character: string): string {
  if (character === '\r') return '\\r';
  if (character === '\n') return '\\n';
  if (character === '%') return '%%';
  if (character === '\\') return '\\\\';
  const code = character.charCodeAt(0);
  return code < 32 || code > 126 ? `\\${code.toString(8).padStart(3, '0')}` : character;
}

/** Quotes in single quotes; long repetitions become a command substitution. */
function quote(text: string): string {
  const escaped = text.replaceAll("'", `'\\''`);
  return `'${replaceTimes(escaped, (unit, count) => `'"$(printf '${unit}%.0s' $(seq ${count}))"'`)}'`;
}
