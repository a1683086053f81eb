// The queue of cache misses: its order, and the share of time beside cache hits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { type Turns, type WorkClass, WorkDropped } from '../../../src/http/turns.ts';
import type { Work } from '../../../src/http/work/job.ts';
import type { Demand } from '../../../src/http/work/lane.ts';
import { WorkQueue } from '../../../src/http/work/work-queue.ts';

/** Makes a queue with 2,000 places per class by default. */
function makeQueue({
  maxCount = 2000,
  hitCount = () => 0,
  acceptedCount = () => 0,
  now = () => performance.now(),
  poll = setImmediate,
}: {
  readonly maxCount?: number;
  readonly hitCount?: () => number;
  readonly acceptedCount?: () => number;
  readonly now?: () => number;
  readonly poll?: (callback: () => void) => void;
} = {}) {
  const refused: WorkClass[] = [];
  const queue = new WorkQueue({
    maxCounts: { small: maxCount, large: maxCount, picture: maxCount },
    hitCount,
    acceptedCount,
    onRefused: (workClass) => void refused.push(workClass),
    now,
    poll,
  });
  const run = async <Result>(
    make: (turns: Turns) => Result | Promise<Result>,
    { workClass = 'small', demand = () => 'certain' }: { workClass?: WorkClass; demand?: () => Demand } = {},
  ) => queue.run({ workClass, demand, make });
  return { queue, run, refused };
}

test('a turn of the event loop runs small jobs in order, for about a millisecond', async () => {
  let nowMs = 0;
  const { run } = makeQueue({ now: () => nowMs });
  const made: number[] = [];
  const make = async (index: number) => {
    nowMs += 0.25;
    made.push(index);
  };
  const all = Promise.all(Array.from({ length: 40 }, (_, index) => run(() => make(index))));
  assert.deepEqual(made, [], 'nothing is made before the turn');
  await nextTurn();
  assert.equal(made.length, 4);
  await all;
  assert.deepEqual(made, [...Array(40).keys()]);
});

test('parts of large answers wait while connections come, but not for ever', async () => {
  let accepted = 0;
  let isComing = true;
  let nowMs = 0;
  const { run } = makeQueue({
    acceptedCount: () => (isComing ? ++accepted : accepted),
    now: () => nowMs,
  });
  const made: number[] = [];
  const large = run(
    async (turns) => {
      for (let part = 0; part < 3; part++) {
        made.push(accepted);
        nowMs += 2;
        await turns.next();
      }
    },
    { workClass: 'large' },
  );
  await run(async () => void made.push(0));
  assert.deepEqual(made, [0], 'small work does not wait');
  while (made.length < 3) await nextTurn();
  assert.deepEqual(made.slice(1), [65, 130], 'one turn in 65 takes a part while a connection comes in each');
  isComing = false;
  await large;
  assert.equal(made.length, 4);
});

test('a job that returns or throws at once settles like others, and says that it has ended before that', async () => {
  const { queue } = makeQueue();
  const said: string[] = [];
  const run = (make: () => string) =>
    queue
      .run({ workClass: 'small', demand: () => 'certain', make, onEnded: () => void said.push('ended') })
      .then(
        (result) => said.push(result),
        (error) => said.push(error.message),
      );
  await run(() => 'made');
  await run(() => {
    throw new Error('thrown');
  });
  assert.deepEqual(said, ['ended', 'made', 'ended', 'thrown']);
});

test('small jobs that take long after they have begun end the turn after a row of 64', async () => {
  let nowMs = 0;
  const { run } = makeQueue({ now: () => nowMs });
  let madeCount = 0;
  const make = async () => {
    await undefined;
    nowMs += 0.1;
    madeCount++;
  };
  const all = Promise.all(Array.from({ length: 100 }, () => run(make)));
  await nextTurn();
  assert.equal(madeCount, 64);
  await all;
  assert.equal(madeCount, 100);
});

test('small jobs that go on after a wait do so in rows of eight', async () => {
  let nowMs = 0;
  const { run } = makeQueue({ now: () => nowMs });
  const outside = Promise.withResolvers<void>();
  let madeCount = 0;
  const make = async (turns: Turns) => {
    await turns.wait(outside.promise);
    nowMs += 1;
    madeCount++;
  };
  const all = Promise.all(Array.from({ length: 20 }, () => run(make)));
  await nextTurn();
  outside.resolve();
  while (madeCount === 0) await nextTurn();
  assert.equal(madeCount, 8);
  await all;
  assert.equal(madeCount, 20);
});

for (const workClass of ['large', 'picture'] as const) {
  test(`jobs of the class ${workClass} take turns, part by part`, async () => {
    const { run } = makeQueue();
    const order: string[] = [];
    const job = (name: string) =>
      run(
        async (turns) => {
          for (let part = 0; part < 3; part++) {
            order.push(name);
            await turns.next();
          }
        },
        { workClass },
      );
    await Promise.all([job('a'), job('b'), job('c')]);
    assert.equal(order.join(''), 'abcabcabc');
  });
}

test('small jobs overtake large ones, which still progress', async () => {
  let nowMs = 0;
  const { run } = makeQueue({ now: () => nowMs });
  let isOver = false;
  let partCount = 0;
  const large = run(
    async (turns) => {
      for (; partCount < 50; partCount++) {
        nowMs += 1;
        await turns.next();
      }
    },
    { workClass: 'large' },
  );
  let smallCount = 0;
  const makeSmall = async () => {
    nowMs += 0.01;
    smallCount++;
  };
  const smalls = (async () => {
    while (!isOver) {
      const before = partCount;
      await Promise.all(Array.from({ length: 16 }, () => run(makeSmall)));
      assert.ok(partCount - before <= 2, `${partCount - before} parts passed`);
    }
  })();
  await large;
  isOver = true;
  await smalls;
  assert.ok(smallCount > 300, `${smallCount}`);
});

test('a small job that needs another turn continues among the large ones', async () => {
  // A turn ends by its number of small jobs alone, however slow the machine is.
  const { run } = makeQueue({ now: () => 0 });
  const order: string[] = [];
  const long = run(async (turns) => {
    order.push('first');
    await turns.next();
    order.push('second');
  });
  const others = Array.from({ length: 8 }, () => run(async () => void order.push('other')));
  await Promise.all([long, ...others]);
  assert.equal(order[0], 'first');
  assert.equal(order.at(-1), 'second');
});

test('pictures begin in a row with small jobs, and their later parts come one at a time', async () => {
  const { run } = makeQueue({ now: () => 0 });
  const order: string[] = [];
  const picture = (name: string) =>
    run(
      async (turns) => {
        order.push(name);
        await Promise.resolve();
        order.push(`${name} drawn`);
        await turns.next();
        order.push(`${name} again`);
        await Promise.resolve();
        order.push(`${name} ended`);
      },
      { workClass: 'picture' },
    );
  await Promise.all([picture('A'), run(async () => void order.push('small')), picture('B')]);
  const begun = ['A', 'small', 'B', 'A drawn', 'B drawn'];
  assert.deepEqual(order, [...begun, 'A again', 'A ended', 'B again', 'B ended']);
});

test('a picture whose first part takes long has no second one in the same turn', async () => {
  let nowMs = 0;
  const { run } = makeQueue({ now: () => nowMs });
  const order: string[] = [];
  const drawn = run(
    async (turns) => {
      nowMs += 2;
      order.push('first');
      await turns.next();
      order.push('second');
    },
    { workClass: 'picture' },
  );
  while (order.length === 0) await nextTurn();
  assert.deepEqual(order, ['first']);
  await drawn;
  assert.deepEqual(order, ['first', 'second']);
});

test('a job that waits for something outside does not block others', async () => {
  const { run } = makeQueue();
  const gate = Promise.withResolvers<string>();
  const waiting = run((turns) => turns.wait(gate.promise), { workClass: 'large' });
  assert.equal(await run(async () => 'other', { workClass: 'large' }), 'other');
  gate.resolve('there');
  assert.equal(await waiting, 'there');
  const failing = run((turns) => turns.wait(sleep(1).then(() => Promise.reject(new Error('lost')))));
  await assert.rejects(failing, { message: 'lost' });
});

test('a value that is already available needs no further turn', async () => {
  const { run } = makeQueue({ now: () => 0 });
  const order: string[] = [];
  const first = run(async (turns) => {
    order.push(await turns.wait(Promise.resolve('a')), await turns.wait(Promise.resolve('b')));
  });
  const second = run(async () => void order.push('c'));
  await nextTurn();
  assert.equal(order.length, 3, 'all in one turn');
  await Promise.all([first, second]);
});

/**
 * Simulates 600 ms of hits in every turn of the event loop, beside work whose parts take `partMs`, on a clock of its own.
 */
async function shareBesideHits(
  start: (
    run: ReturnType<typeof makeQueue>['run'],
    part: () => void,
    isOver: () => boolean,
    outside: (ms: number) => void,
    queue: WorkQueue,
  ) => void,
  partMs: number,
  { turnsPerHit = 1 } = {},
): Promise<{ readonly share: number; readonly partCount: number }> {
  let time = 0;
  let hitCount = 0;
  let partCount = 0;
  let outsideMs = 0;
  let isOver = false;
  const poll = (callback: () => void) => {
    const due = time + 1;
    const look = () => void (time < due ? setImmediate(look) : callback());
    look();
  };
  const { queue, run } = makeQueue({ hitCount: () => hitCount, now: () => time, poll });
  const part = () => {
    partCount++;
    time += partMs;
  };
  const hits = async (endsAt: number) => {
    while (time < endsAt) {
      hitCount += 10 * turnsPerHit;
      for (let turn = 0; turn < turnsPerHit; turn++) {
        time += 0.1;
        await nextTurn();
      }
    }
  };
  // The queue knows the rate of hits before the work comes.
  const warmUp = hits(20);
  await run(async () => {});
  await warmUp;
  start(
    run,
    part,
    () => isOver,
    (ms) => {
      outsideMs += ms;
      time += ms;
    },
    queue,
  );
  const startedAt = time;
  await hits(startedAt + 600);
  const share = (partCount * partMs + outsideMs) / (time - startedAt);
  isOver = true;
  for (let turn = 0; turn < 100; turn++) {
    time += 10;
    await nextTurn();
  }
  return { share, partCount };
}

test('beside hits in every turn, small jobs take an eighth of the time, however long a read takes', async () => {
  const many = (run: ReturnType<typeof makeQueue>['run'], part: () => void, isOver: () => boolean) => {
    for (let index = 0; index < 1900; index++)
      run(async () => part(), { demand: () => (isOver() ? 'none' : 'certain') }).catch(() => {});
  };
  for (const partMs of [0.05, 1]) {
    const { share } = await shareBesideHits(many, partMs);
    assert.ok(share > 0.08 && share < 0.2, `${partMs} ms: ${share}`);
  }
});

test('beside hits in every turn, jobs with large bodies are done less often', async () => {
  const countOf = async (bodyBytes: number) => {
    const { partCount } = await shareBesideHits((run, part, isOver, _outside, queue) => {
      const make = () => {
        part();
        queue.chargeBody(bodyBytes);
      };
      for (let index = 0; index < 1900; index++)
        run(make, { demand: () => (isOver() ? 'none' : 'certain') }).catch(() => {});
    }, 0.05);
    return partCount;
  };
  const [small, large] = [await countOf(100), await countOf(200 * 1024)];
  assert.ok(large < small / 2, `${large} large, ${small} small`);
});

test('turns without a hit do not raise the share above an eighth of the time', async () => {
  const many = (run: ReturnType<typeof makeQueue>['run'], part: () => void, isOver: () => boolean) => {
    for (let index = 0; index < 1900; index++)
      run(async () => part(), { demand: () => (isOver() ? 'none' : 'certain') }).catch(() => {});
  };
  const { share } = await shareBesideHits(many, 1, { turnsPerHit: 3 });
  assert.ok(share > 0.08 && share < 0.2, `${share}`);
});

test('beside hits in every turn, jobs that waited for the store also take an eighth of the time', async () => {
  const { share } = await shareBesideHits((run, part, isOver, outside) => {
    for (let index = 0; index < 200; index++)
      run(
        async (turns) => {
          while (!isOver()) {
            // The rows of a query are parsed outside of any turn.
            await turns.wait(nextTurn().then(() => outside(0.1)));
            part();
          }
        },
        { workClass: 'small' },
      ).catch(() => {});
  }, 0.2);
  assert.ok(share > 0.08 && share < 0.2, `${share}`);
});

test('beside hits in every turn, all classes together take an eighth of the time, and each progresses', async () => {
  const counts: Record<WorkClass, number> = { small: 0, large: 0, picture: 0 };
  const { share } = await shareBesideHits((run, part, isOver) => {
    for (const workClass of ['small', 'large', 'picture'] as const)
      for (let index = 0; index < 5; index++) {
        const again = (): Promise<void> =>
          run(
            async () => {
              counts[workClass] += 1;
              part();
            },
            { workClass },
          ).then(() => (isOver() ? undefined : again()));
        void again();
      }
  }, 0.3);
  assert.ok(share > 0.08 && share < 0.2, `${share}`);
  for (const [workClass, count] of Object.entries(counts)) assert.ok(count > 20, `${workClass}: ${count}`);
});

test('beside hits in every turn, twenty misses are done soon', async () => {
  let made = 0;
  const { partCount } = await shareBesideHits((run, part) => {
    for (let index = 0; index < 20; index++)
      run(async () => {
        part();
        made++;
      }).catch(() => {});
  }, 0.1);
  assert.deepEqual([partCount, made], [20, 20]);
});

test('a job without a client is dropped before its next turn, and frees its place', async () => {
  const { run, refused } = makeQueue({ maxCount: 2 });
  const unwanted = assert.rejects(
    run(() => assert.fail('it was made'), { demand: () => 'none' }),
    WorkDropped,
  );
  const wanted = run(async () => 1);
  assert.equal(await run(async () => 2).catch(({ kind }) => kind), 2, 'the unwanted one takes no place');
  await Promise.all([unwanted, wanted]);
  const gate = Promise.withResolvers<void>();
  const held = [1, 2].map(() => run((turns) => turns.wait(gate.promise)));
  await assert.rejects(
    run(async () => 3),
    { code: 'unavailable', kind: 'overloaded' },
  );
  assert.deepEqual(refused, ['small']);
  gate.resolve();
  await Promise.all(held);
  assert.equal(await run(async () => 4), 4);
});

test('a job whose client leaves halfway ends there, and closes what it opened', async () => {
  const { run } = makeQueue();
  let demand: Demand = 'certain';
  let isClosed = false;
  let turnCount = 0;
  const dropped = run(
    async (turns) => {
      try {
        for (;;) {
          if (++turnCount === 3) demand = 'none';
          await turns.next();
        }
      } finally {
        isClosed = true;
      }
    },
    { workClass: 'large', demand: () => demand },
  );
  await assert.rejects(dropped, WorkDropped);
  assert.deepEqual([isClosed, turnCount], [true, 3]);
});

/** Waits until a count stays the same over many turns of the event loop. */
async function unchanged(count: () => number): Promise<void> {
  for (let last = count(), quietCount = 0; quietCount < 50; quietCount++) {
    await nextTurn();
    if (count() !== last) quietCount = 0;
    last = count();
  }
}

test('jobs of half-closed clients have as many places again, running or waiting', async () => {
  const { run, refused } = makeQueue({ maxCount: 100 });
  let begunCount = 0;
  const gate = Promise.withResolvers<void>();
  const asked = Array.from({ length: 300 }, () =>
    run(
      async (turns) => {
        begunCount++;
        await turns.wait(gate.promise);
      },
      { workClass: 'large', demand: () => 'possible' },
    ).catch(() => {}),
  );
  await unchanged(() => begunCount);
  assert.equal(refused.length, 100);
  assert.ok(begunCount <= 64, `${begunCount} were begun`);
  gate.resolve();
  await Promise.all(asked);
  assert.equal(begunCount, 200);
});

test('a job of a half-closed client runs after all others, and takes no place of theirs', async () => {
  const { run } = makeQueue({ maxCount: 2 });
  const made: string[] = [];
  const ask = (name: string, demand: Demand) =>
    run(async () => void made.push(name), { workClass: 'large', demand: () => demand });
  await Promise.all([
    ask('possible', 'possible'),
    ask('possible too', 'possible'),
    ask('certain', 'certain'),
    ask('certain too', 'certain'),
  ]);
  assert.deepEqual(made, ['certain', 'certain too', 'possible', 'possible too']);
});

test('a bounded number of large jobs run at a time, and the others start in order as these end', async () => {
  const { run } = makeQueue();
  const begun: number[] = [];
  const gates = Array.from({ length: 40 }, () => Promise.withResolvers<void>());
  const all = gates.map((gate, index) =>
    run(
      async (turns) => {
        begun.push(index);
        await turns.wait(gate.promise);
      },
      { workClass: 'large' },
    ),
  );
  await unchanged(() => begun.length);
  const atOnce = begun.length;
  assert.ok(atOnce > 1 && atOnce < 40, `${atOnce}`);
  gates[0]?.resolve();
  await all[0];
  await unchanged(() => begun.length);
  assert.equal(begun.length, atOnce + 1);
  for (const gate of gates) gate.resolve();
  await Promise.all(all);
  assert.deepEqual(begun, [...gates.keys()]);
});

test('the end of a job of a half-closed client does not change the order of waiting ones', async () => {
  const { run } = makeQueue();
  const begun: string[] = [];
  const hold = (name: string, demand: Demand) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const done = run(
      (turns) => {
        begun.push(name);
        return turns.wait(promise);
      },
      { workClass: 'large', demand: () => demand },
    );
    return () => {
      resolve();
      return done;
    };
  };
  const endPossible = hold('possible', 'possible');
  const ends = Array.from({ length: 32 }, () => hold('certain', 'certain'));
  const waiting = ['first', 'second', 'third'].map((name) => hold(name, 'certain'));
  await unchanged(() => begun.length);
  assert.equal(begun.length, 33);
  await endPossible();
  for (const end of [...ends, ...waiting]) await end();
  assert.deepEqual(begun.slice(33), ['first', 'second', 'third']);
});

const fail = (): never => {
  throw new Error('thrown');
};

/** The demand of a job that has a client once, and then throws. */
function failingDemand(): () => Demand {
  let askedCount = 0;
  return () => (askedCount++ === 0 ? 'certain' : fail());
}

const failures: Readonly<Record<string, () => Partial<Work<unknown>>>> = {
  'at once': () => ({ make: fail }),
  'in its first part': () => ({ make: async () => fail() }),
  'in a later part': () => ({ make: (turns) => turns.next().then(fail) }),
  'after a wait': () => ({ make: (turns) => turns.wait(nextTurn()).then(fail) }),
  'when it is asked for its demand': () => ({ demand: fail }),
  'when it is asked for its demand before a later part': () => ({
    demand: failingDemand(),
    make: (turns) => turns.next(),
  }),
  'when it is asked for its demand after a wait': () => ({
    demand: failingDemand(),
    make: (turns) => turns.wait(nextTurn()),
  }),
  'when it has been made': () => ({ onEnded: fail }),
  'when it has been made in parts': () => ({ make: (turns) => turns.next(), onEnded: fail }),
  'when it has failed': () => ({ make: () => Promise.reject(new Error('first')), onEnded: fail }),
  'when it has left the queue': () => ({ make: (turns) => turns.whenLeft(fail) }),
  'when it has left the queue after a part': () => ({
    make: (turns) => {
      turns.whenLeft(fail);
      return turns.next();
    },
  }),
  'when it is dropped': () => ({ demand: () => 'none', onEnded: fail }),
};

for (const [when, broken] of Object.entries(failures)) {
  test(`a job that throws ${when} ends alone`, async () => {
    for (const workClass of ['small', 'large', 'picture'] as const) {
      const { queue, run } = makeQueue();
      const other = run(async (turns) => turns.next().then(() => 'other'), { workClass });
      const job = queue.run<unknown>({ workClass, demand: () => 'certain', make: () => 'made', ...broken() });
      await assert.rejects(job, { message: 'thrown' });
      assert.equal(await other, 'other');
      for (const each of ['small', 'large', 'picture'] as const)
        assert.equal(await run(async () => each, { workClass: each }), each);
    }
  });
}

test('a job that throws when it is asked for its demand takes no place of others', async () => {
  const { run, refused } = makeQueue({ maxCount: 1 });
  const broken = assert.rejects(
    run(() => 'made', { demand: fail }),
    { message: 'thrown' },
  );
  assert.equal(await run(async () => 'other'), 'other');
  await broken;
  assert.deepEqual(refused, []);
});
