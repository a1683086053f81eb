/** A part of a comparison of two builds: rows that are measured together, in rounds. */
import { serviceUse } from '../harness/processes.ts';
import type { Server } from '../harness/server.ts';
import { type Bench, messageOf } from '../question.ts';
import type { Row, Sides } from './row.ts';

/** Rows that are measured together. */
export interface Part {
  readonly rows: readonly Row[];
  /** Prepares the data for all rounds, and returns the function that measures one round. */
  readonly prepare: (sides: Sides<Bench>) => Promise<(measure: Measure) => Promise<void>>;
}

/**
 * Records the figures of a row in this round, or the reason why there are none. Does nothing for a row that
 * was not requested.
 */
export type Measure = (id: string, figures: () => Promise<Sides<number>>) => Promise<void>;

/** Order of turns: symmetric, so that a machine that slows down or speeds up affects both sides equally. */
const order = ['present', 'earlier', 'earlier', 'present'] as const;

/**
 * Lets two servers work in short turns; returns the CPU seconds of each. A waiting server uses almost no CPU
 * time, so turns may be much shorter than the resolution of the CPU clock.
 */
export async function cpuOfTurns(
  sides: Sides<Bench>,
  servers: Sides<Server>,
  {
    repeatCount,
    turn,
  }: {
    /** Number of repetitions; in each, both sides have two turns. */
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

/** Runs work on both sides, one after the other. Errors name the side. */
export async function onBoth<Done>(
  sides: Sides<Bench>,
  work: (side: Bench, name: keyof Sides<Bench>) => Promise<Done>,
): Promise<Sides<Done>> {
  const present = await onSide(sides, 'present', work);
  return { present, earlier: await onSide(sides, 'earlier', work) };
}

/** Runs work on one side. Errors name the side. */
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

/** Maps both sides. */
export function pairOf<Thing, Made>(things: Sides<Thing>, make: (thing: Thing) => Made): Sides<Made> {
  return { present: make(things.present), earlier: make(things.earlier) };
}
