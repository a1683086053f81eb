// Client addresses for limits: every spelling of an address is the same client.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientAddresses } from '../../src/http/clients.ts';
import { fc } from '../support/seed.ts';

const proxy = '10.0.0.1';
const behindProxies = new ClientAddresses(['10.0.0.0/8', '2001:db8:ffff::/48']);
const anyByte = fc.nat({ max: 255 });
const anyGroups = fc.array(fc.oneof(fc.constantFrom(0, 0, 1, 0xffff), fc.nat({ max: 0xffff })), {
  minLength: 8,
  maxLength: 8,
});
/** The spellings to choose from. */
const anySpelling = fc.record({
  isPadded: fc.boolean(),
  isUpper: fc.boolean(),
  isDotted: fc.boolean(),
  shortened: fc.tuple(fc.nat({ max: 7 }), fc.nat({ max: 8 })),
  wrap: fc.constantFrom(
    (text: string) => text,
    (text: string) => `[${text}]`,
    (text: string) => `[${text}]:4711`,
    (text: string) => `${text}%eth0`,
  ),
});

test('an IPv6 address counts by its /64, however it is spelled', () => {
  fc.assert(
    fc.property(anyGroups, fc.nat({ max: 0xffff }), anySpelling, (groups, other, spelling) => {
      fc.pre(!isMapped(groups) && !/^2001:db8:ffff:/.test(spell(groups)));
      const neighbour = [...groups.slice(0, 4), other, 7, 8, 9];
      const key = groups.slice(0, 4).map(hex).join(':');
      assert.equal(behindProxies.limitKey(proxy, spell(groups, spelling)), key);
      assert.equal(behindProxies.limitKey(proxy, spell(neighbour, spelling)), key);
      const distant = [...groups.slice(0, 3), (groups[3] ?? 0) ^ 1, ...groups.slice(4)];
      const distantKey = behindProxies.limitKey(proxy, spell(distant));
      assert.notEqual(distantKey, key);
    }),
    { numRuns: 2000 },
  );
});

test('an IPv4-mapped IPv6 address counts as the IPv4 address', () => {
  fc.assert(
    fc.property(fc.tuple(anyByte, anyByte, anyByte, anyByte), anySpelling, (bytes, spelling) => {
      fc.pre(bytes[0] !== 10);
      const [a, b, c, d] = bytes;
      const groups = [0, 0, 0, 0, 0, 0xffff, a * 256 + b, c * 256 + d];
      const plain = bytes.join('.');
      for (const text of [plain, `${plain}:4711`, `::ffff:${plain}`, spell(groups, spelling)]) {
        assert.equal(behindProxies.limitKey(proxy, text), plain, text);
        assert.equal(behindProxies.find(proxy, text), plain, text);
      }
      // As the address of a connection too.
      assert.equal(behindProxies.limitKey(spell(groups, { ...spelling, wrap: (text) => text })), plain);
    }),
    { numRuns: 2000 },
  );
});

test('a proxy is recognised in any spelling of its address, and by a network written as IPv6', () => {
  for (const trusted of ['10.0.0.0/8', '::ffff:10.0.0.0/104', '0:0:0:0:0:ffff:a00:0/104']) {
    const clients = new ClientAddresses([trusted]);
    for (const peer of ['10.0.0.1', '::ffff:10.0.0.1', '::ffff:a00:1', '0:0:0:0:0:FFFF:0A00:0001']) {
      assert.equal(clients.limitKey(peer, '198.51.100.7'), '198.51.100.7', `${trusted} ${peer}`);
      assert.equal(clients.limitKey(peer, '198.51.100.7, ::ffff:a00:2'), '198.51.100.7');
      assert.equal(clients.limitKey(peer), undefined, 'the proxy itself');
    }
    assert.equal(clients.limitKey('11.0.0.1', '198.51.100.7'), '11.0.0.1');
  }
  const everybody = new ClientAddresses(['::ffff:0:0/90']);
  assert.equal(everybody.limitKey('198.51.100.7', '2001:db8::1'), '2001:db8:0:0');
});

test('clients for which a proxy gives no address count together, for each proxy', () => {
  const odd = [
    ...['', ' ', 'unknown', '_hidden', '198.51.100', '1.2.3.4.5', '256.1.1.1', '010.1.1.1', '::ffff:1.2.3'],
    ...[
      '[::1',
      ':::',
      '1:2',
      '198.51.100.7:',
      '198.51.100.7:x',
      'a.example:80',
      '"198.51.100.7"',
      'unix:',
      '\xff',
    ],
  ];
  for (const item of odd)
    for (const before of ['', '198.51.100.7, ', 'x, '])
      for (const behind of ['', ', 10.9.9.9']) {
        const forwarded = before + item + behind;
        assert.equal(behindProxies.limitKey(proxy, forwarded), proxy, forwarded);
        assert.equal(behindProxies.find(proxy, forwarded), proxy, forwarded);
      }
  assert.equal(behindProxies.limitKey('2001:db8:ffff:1:2:3:4:5', 'unknown'), '2001:db8:ffff:1');
});

test("a proxy's own requests, and those of one proxy through another, have no limit", () => {
  for (const forwarded of [undefined, '10.9.9.9', '10.9.9.9, 2001:db8:ffff::1'])
    assert.equal(behindProxies.limitKey(proxy, forwarded), undefined);
});

interface Spelling {
  readonly isPadded: boolean;
  readonly isUpper: boolean;
  readonly isDotted: boolean;
  /** Finds a run of zero groups that `::` may replace: its start and its length. */
  readonly shortened: readonly [start: number, count: number];
  readonly wrap: (text: string) => string;
}

/** Writes an IPv6 address as RFC 4291 2.2 allows. */
function spell(groups: readonly number[], spelling?: Spelling): string {
  if (spelling === undefined) return groups.map(hex).join(':');
  const { isPadded, isUpper, isDotted, shortened, wrap } = spelling;
  const texts = groups.map((group) => hex(group).padStart(isPadded ? 4 : 1, '0'));
  if (isDotted) {
    const [high = 0, low = 0] = groups.slice(6);
    texts.splice(6, 2, [high >> 8, high & 255, low >> 8, low & 255].join('.'));
  }
  const [start, count] = shortened;
  const end = Math.min(start + count, isDotted ? 6 : 8);
  const isZeros = end > start && groups.slice(start, end).every((group) => group === 0);
  const text = isZeros
    ? `${texts.slice(0, start).join(':')}::${texts.slice(end).join(':')}`
    : texts.join(':');
  return wrap(isUpper ? text.toUpperCase() : text);
}

function isMapped(groups: readonly number[]): boolean {
  return groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
}

function hex(group: number): string {
  return group.toString(16);
}
