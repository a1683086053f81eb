// The memory of a cached response.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Representation } from '../../src/http/representation.ts';
import { ResponseKind } from '../../src/http/response-kind.ts';

const body = Buffer.from('[1,2,3]');
const kind = new ResponseKind({ mediaType: 'application/json', coding: 'identity', cacheControl: '' });
const about = { kind, etag: '"a"' };

test('a response whose head and body are joined keeps one copy of its body, however often it is sent', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 0 });
  const representation = new Representation({ ...about, body: [body.subarray(0, 3), body.subarray(3)] });
  for (let second = 0; second < 3; second++) {
    const [message] = representation.message(new Date().toUTCString());
    assert.ok(message instanceof Buffer);
    assert.ok(message.includes(`00:00:0${second} GMT`));
    assert.ok(message.subarray(-body.length).equals(body));
    assert.deepEqual(Buffer.concat(representation.body), body);
    assert.equal(representation.body[0]?.buffer, message.buffer);
    assert.deepEqual(Buffer.concat(representation.withAge(7).body), body);
    t.mock.timers.tick(1000);
  }
});
