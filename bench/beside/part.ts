/** A part of a comparison of two builds: rows that are measured together, in rounds. */
import { serviceUse } from '../harness/processes.ts';
import type { Server } from '../harness/server.ts';
import { type Bench, messageOf } from '../question.ts';
import type { Row, Sides } from './row.ts';

/** Rows that are measured together. */
export interface Part {
  readonly rows: readonly Row[];
  /** Prepares what all rounds need, and returns the measurement of one round. */
  readonly prepare: (sides: Sides<Bench>) => Promise<(measure: Measure) => Promise<void>>;
}

/** Notes the figures of a row in this round, or why there are none. Does nothing for a row that is not asked for. */
export type Measure = (id: string, figures: () => Promise<Sides<number>>) => Promise<void>;

/** Order of turns: a machine that becomes slower, or faster, does so for both. */
const order = ['present', 'earlier', 'earlier', 'present'] as const;

/**
 * Lets the two servers work in short turns, and returns the CPU seconds of each. One that has no turn uses nearly none, so turns may be
 * much shorter than the clock of the CPU time is fine.
 */
export async function cpuOfTurns(
  sides: Sides<Bench>,
  servers: Sides<Server>,
  {
    repeatCount,
    turn,
  }: {
    /** Each time, both sides have two turns. */
    readonly repeatCount: number;
    readonly turn: (name: keyof Sides<Bench>) => Promise<unknown>;
  },
): Promise<Sides<number>> {
  const look = (name: keyof Sides<Bench>) => serviceUse(servers[name].pid).cpuSeconds;
  const before = { present: look('present'), earlier: look('earlier') };
  for (let repeat = 0; repeat < repeatCount; repeat++)
    for (const name of order) await onSide(sides, name, () => turn(name));
  return { present: look('present') - before.present, earlier: look('earlier') - before.earlier };
}

/** Works on both sides, one after the other. A failure names its side. */
export async function onBoth<Done>(
  sides: Sides<Bench>,
  work: (side: Bench, name: keyof Sides<Bench>) => Promise<Done>,
): Promise<Sides<Done>> {
  const present = await onSide(sides, 'present', work);
  return { present, earlier: await onSide(sides, 'earlier', work) };
}

/** Works on one side. A failure names it. */
export async function onSide<Done>(
  sides: Sides<Bench>,
  name: keyof Sides<Bench>,
  work: (side: Bench, name: keyof Sides<Bench>) => Promise<Done>,
): Promise<Done> {
  try {
    return await work(sides[name], name);
  } catch (error) {
    throw new Error(`${sides[name].build.name}: ${messageOf(error)}`, { cause: error });
  }
}

/** Makes something of the thing of each side. */
export function pairOf<Thing, Made>(things: Sides<Thing>, make: (thing: Thing) => Made): Sides<Made> {
  return { present: make(things.present), earlier: make(things.earlier) };
}
