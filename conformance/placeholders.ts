/**
 * Placeholders in case files: `{name}`. A string that is only a placeholder becomes the value itself (a
 * number stays a number, an object an object); inside a longer string it becomes text.
 */

import { isList, isObject, type Json } from './json.ts';

const PLACEHOLDER = /\{([a-zA-Z@][^{}\s"]*)\}/g;
const WHOLE = new RegExp(`^${PLACEHOLDER.source}$`);
const TIMES = /\{times:([0-9]+):([^{}]+)\}/g;

/** Fills every placeholder for which `lookup` has a value, at any depth; others are kept. */
export function fill(value: Json, lookup: (name: string) => Json | undefined): Json {
  if (typeof value === 'string') return fillString(value, lookup);
  if (isList(value)) return value.map((item) => fill(item, lookup));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [String(fillString(name, lookup)), fill(member, lookup)]),
  );
}

/** Expands repetitions: `{times:3:ab}` becomes `ababab`. */
export function expandTimes(text: string): string {
  return text.replace(TIMES, (_, count: string, unit: string) => unit.repeat(Number(count)));
}

/** Replaces each repetition by the result of `write`, for commands that should stay readable. */
export function replaceTimes(text: string, write: (unit: string, count: number) => string): string {
  return text.replace(TIMES, (_, count: string, unit: string) => write(unit, Number(count)));
}

function fillString(text: string, lookup: (name: string) => Json | undefined): Json {
  const whole = WHOLE.exec(text)?.[1];
  if (whole !== undefined) return lookup(whole) ?? text;
  return text.replace(PLACEHOLDER, (placeholder, name: string) => {
    const value = lookup(name);
    if (value === undefined) return placeholder;
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}
