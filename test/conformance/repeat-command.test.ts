import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { expandTimes } from '../../conformance/placeholders.ts';
import { formatCommand } from '../../conformance/repeat-command.ts';

const BASE = new URL('http://example.org:8080/stats');

test('a request is printed as a curl command, quoted for a shell', () => {
  const headers = { 'If-None-Match': '"x"', 'User-Agent': '' };
  const get = {
    kind: 'http',
    method: 'GET',
    path: "/api/v1/plugins?a='b'",
    headers,
    body: undefined,
  } as const;
  assert.equal(
    formatCommand(BASE, get),
    `curl -sig --path-as-is -H 'If-None-Match: "x"' -H 'User-Agent;' 'http://example.org:8080/stats/api/v1/plugins?a='\\''b'\\'''`,
  );
  const post = { kind: 'http', method: 'POST', path: '/x', headers: {}, body: '{' } as const;
  assert.equal(
    formatCommand(BASE, post),
    `curl -sig --path-as-is -X 'POST' --data-binary '{' 'http://example.org:8080/stats/x'`,
  );
  const head = { kind: 'http', method: 'HEAD', path: '/x', headers: {}, body: undefined } as const;
  assert.equal(formatCommand(BASE, head), `curl -sig --path-as-is --head 'http://example.org:8080/stats/x'`);
});

test('raw bytes are printed as a printf command, byte for byte', () => {
  const raw = "GET /%zz\u0000\u00ff'{times:3:a&} HTTP/1.1\r\nX: \\n\r\n\r\n";
  const command = formatCommand(BASE, { kind: 'raw', raw });
  assert.match(command, / \| nc -w 2 example\.org 8080$/);
  const printed = execFileSync('sh', ['-c', command.replace(/ \| nc .*$/, '')]);
  assert.equal(printed.toString('latin1'), expandTimes(raw));
});
