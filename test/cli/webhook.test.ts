// Webhooks that fail in every way, with a clock that does not wait.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Webhook } from '../../src/cli/webhook.ts';
import { answers, type Behaviour, startWebhook } from '../support/webhook-server.ts';

const entry = {
  id: 'urn:uuid:1',
  url: undefined,
  title: 'Title',
  content_text: '',
  date_modified: '2026-06-01T00:00:00.000Z',
  plugin: { id: 7, name: 'Plugin' },
};
const resets: Behaviour = (_, request) => request.socket.destroy();
const isSlow: Behaviour = (response) => setTimeout(() => response.writeHead(200).end('thanks'), 300);

async function sendTo(behaviours: readonly Behaviour[], format: 'json' | 'discord' = 'json', more = {}) {
  const { url, sent } = await startWebhook(...behaviours);
  const waits: number[] = [];
  const stop = new AbortController();
  const clock = {
    now: () => Date.UTC(2026, 0, 1),
    random: () => 0,
    wait: async (ms: number) => {
      waits.push(ms);
    },
  };
  const webhook = new Webhook({ address: url, format, clock, signal: stop.signal });
  return { outcome: await webhook.send({ ...entry, ...more }), waits, sent };
}

describe('a webhook', () => {
  const cases: ReadonlyArray<readonly [string, readonly Behaviour[], string, readonly number[]]> = [
    ['that is slow gets an entry once', [isSlow], 'sent', []],
    ['with 429 gets it after Retry-After', [answers(429, { 'Retry-After': '7' })], 'sent', [8000]],
    ['with 5xx or a reset gets it again', [answers(503), resets, answers(500)], 'sent', [1000, 2000, 4000]],
    ['that stays away is given up', Array(9).fill(resets), 'stopped', [1000, 2000, 4000, 8000]],
    ['that asks for an hour is given up', [answers(429, { 'Retry-After': '3600' })], 'stopped', []],
    ['that redirects is not followed', [answers(302, { Location: '/other' })], 'stopped', []],
    ['that is gone is given up', [answers(404)], 'stopped', []],
    ['that refuses one entry may take others', [answers(400)], 'refused', []],
  ];
  for (const [name, behaviours, outcome, waits] of cases)
    test(name, async () => {
      const result = await sendTo(behaviours);
      assert.deepEqual([result.outcome, result.waits], [outcome, waits]);
      assert.equal(result.sent.length, waits.length + 1);
      for (const sent of result.sent) assert.deepEqual(sent, JSON.parse(JSON.stringify(entry)));
    });

  test('gets nothing after a signal, which ends a wait', async () => {
    const { url, sent } = await startWebhook(answers(503));
    const stop = new AbortController();
    const clock = {
      now: Date.now,
      random: () => 0,
      wait: async () => {
        stop.abort();
        throw stop.signal.reason;
      },
    };
    const webhook = new Webhook({ address: url, format: 'json', clock, signal: stop.signal });
    assert.deepEqual([await webhook.send(entry), await webhook.send(entry)], ['stopped', 'stopped']);
    assert.equal(sent.length, 1);
  });

  test('of Discord gets a message within its limits, that mentions nobody', async () => {
    const more = {
      title: `@everyone **x** ${'\u{1f386}'.repeat(200)}`,
      content_text: '*'.repeat(5000),
      url: 'https://[bad',
    };
    const { sent } = await sendTo([], 'discord', more);
    const [embed = {}] = sent[0]?.embeds ?? [];
    const { title, description, ...others } = embed;
    assert.deepEqual(others, { author: { name: 'Plugin' }, timestamp: entry.date_modified });
    assert.deepEqual([String(title).length, String(description).length], [256, 4096]);
    assert.match(String(title), /^\\@everyone \\\*\\\*x\\\*\\\* /);
    assert.ok(String(title).isWellFormed());
    assert.deepEqual({ ...sent[0], embeds: [] }, { allowed_mentions: { parse: [] }, embeds: [] });
    const plain = await sendTo([], 'discord', { url: 'https://example.org/ü' });
    assert.deepEqual(plain.sent[0]?.embeds, [
      {
        author: { name: 'Plugin' },
        title: 'Title',
        url: 'https://example.org/%C3%BC',
        timestamp: entry.date_modified,
      },
    ]);
  });
});
