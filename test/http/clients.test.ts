// Client addresses for limits: every spelling of an address is the same client.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientAddresses } from '../../src/http/clients.ts';

const proxy = '10.0.0.1';
const behindProxies = new ClientAddresses(['10.0.0.0/8', '2001:db8:ffff::/48']);

test('an IPv6 address counts by its /64, however it is spelled', () => {
  for (const [key, ...spellings] of [
    [
      '2001:db8:0:1',
      ...[
        '2001:db8:0:1:0:0:0:1',
        '2001:0DB8:0000:0001:0000:0000:0000:0001',
        '2001:db8:0:1::',
        '2001:db8::1:0:0:0:1',
      ],
      ...['[2001:db8:0:1::1]', '[2001:DB8:0:1::1]:4711', '2001:db8:0:1::1%eth0', '2001:db8:0:1::192.0.2.1'],
    ],
    ['0:0:0:0', '::', '::1', '0:0:0:0:ffff:ffff:ffff:ffff', '[::1]:80'],
    ['1:0:0:0', '1::', '1::ffff', '1:0:0:0:1::'],
    ['0:0:0:1', '::1:0:0:0:0', '0:0:0:1::'],
    ['ffff:ffff:ffff:ffff', 'FFFF:ffff:ffff:ffff::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ])
    for (const text of spellings) assert.equal(behindProxies.limitKey(proxy, text), key, text);
});

test('an IPv4-mapped IPv6 address counts as the IPv4 address', () => {
  const plain = '198.51.100.7';
  const mapped = [
    '::ffff:198.51.100.7',
    '::FFFF:c633:6407',
    '0:0:0:0:0:ffff:c633:6407',
    '0::ffff:198.51.100.7',
  ];
  for (const text of [
    plain,
    `${plain}:4711`,
    ...mapped,
    '[::ffff:198.51.100.7]:80',
    '::ffff:c633:6407%eth0',
  ]) {
    assert.equal(behindProxies.limitKey(proxy, text), plain, text);
    assert.equal(behindProxies.find(proxy, text), plain, text);
  }
  // As the address of a connection too.
  for (const peer of mapped) assert.equal(behindProxies.limitKey(peer), plain, peer);
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

test('an address that an untrusted peer names is ignored, which is noted once, of a private network', () => {
  const noted: string[] = [];
  const clients = new ClientAddresses(['192.0.2.1/32'], (peer) => noted.push(peer));
  for (const peer of ['198.51.100.1', '10.0.0.1', '127.0.0.1'])
    assert.equal(clients.limitKey(peer, '198.51.100.7'), peer);
  assert.deepEqual(noted, ['10.0.0.1']);
});
