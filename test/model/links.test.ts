import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Links } from '../../src/model/links.ts';

const below = Links.ofPublicUrl('https://example.org/a/metrics');
const atRoot = Links.ofPublicUrl('https://example.org');

test('a link begins with the path that the server is below', () => {
  assert.equal(below.to('/plugin/1'), '/a/metrics/plugin/1');
  assert.equal(atRoot.to('/plugin/1'), '/plugin/1');
  assert.equal(new Links('http://127.0.0.1:8080').to('/'), '/');
});

test('the path is taken off a target once, whole, and is not needed', () => {
  for (const [requested, target] of [
    ['/a/metrics/plugin/1?range=7d', '/plugin/1?range=7d'],
    ['/a/metrics', '/'],
    ['/a/metrics/', '/'],
    ['/a/metrics?q=x', '/?q=x'],
    ['/a/metrics/a/metrics/x', '/a/metrics/x'],
    ['/a/metricsx', '/a/metricsx'],
    ['/a', '/a'],
    ['/plugin/1', '/plugin/1'],
    ['http://inner.example/a/metrics/x', 'http://inner.example/x'],
    ['http://inner.example/a/metrics', 'http://inner.example/'],
    ['*', '*'],
    ['', ''],
  ] as const)
    assert.equal(below.targetOf(requested), target, requested);
  for (const requested of ['/', '/x', '', '*', 'http://a.example/x', '/?q=x'])
    assert.equal(atRoot.targetOf(requested), requested);
});

test('paths in the attributes of HTML become links, and nothing else does', () => {
  const html =
    '<a href="/x" title="/x">src="/x"</a><img src="/y" alt=""><form action="/z"></form><a href="#x">/x</a>';
  assert.equal(
    below.inHtml(html),
    '<a href="/a/metrics/x" title="/x">src="/x"</a><img src="/a/metrics/y" alt=""><form action="/a/metrics/z"></form><a href="#x">/x</a>',
  );
  assert.equal(atRoot.inHtml(html), html);
});
