/** Loads the case files and expands their tables: a case with `each` becomes one case per row. */

import { readdir, readFile } from 'node:fs/promises';
import type { Vocabulary } from './expectation.ts';
import { asList, asObject, asString, type Json, type JsonObject } from './json.ts';
import { fill } from './placeholders.ts';

/** `interface`: required of any server of the interface; `contract`: promised by this project beyond it. */
export type Profile = 'interface' | 'contract';

/** One case, with unfilled placeholders for fixtures and answers. */
export interface Case {
  readonly subject: string;
  readonly name: string;
  readonly rule: string;
  readonly profile: Profile;
  /** Requests sent before, by the name of their answers. */
  readonly given: JsonObject;
  readonly request: Json;
  readonly expect: Json;
}

/** All cases, with the shapes and header sets that they refer to. */
export interface CaseSet {
  readonly cases: readonly Case[];
  readonly vocabulary: Vocabulary;
}

const CASE_MEMBERS = ['name', 'rule', 'profile', 'each', 'given', 'request', 'expect'];

/**
 * Reads `cases/*.json` and `shared/*.json`; throws if one of them has something that the format does not
 * define.
 */
export async function loadCases(): Promise<CaseSet> {
  const [shapes, headerSets, tables] = await Promise.all(
    ['shapes', 'headers', 'tables'].map((name) => readJson(new URL(`shared/${name}.json`, import.meta.url))),
  );
  const folder = new URL('cases/', import.meta.url);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  const files = await Promise.all(names.map((name) => readJson(new URL(name, folder))));
  const cases = files.flatMap((file) => expandFile(file, asObject(tables, 'tables.json')));
  return {
    cases,
    vocabulary: { shapes: asObject(shapes, 'shapes.json'), headerSets: asObject(headerSets, 'headers.json') },
  };
}

function expandFile(json: Json, tables: JsonObject): readonly Case[] {
  const file = asObject(json, 'case file', ['subject', 'about', 'cases']);
  const subject = asString(file['subject'], 'subject');
  return asList(file['cases'], subject).flatMap((entry) => {
    const template = asObject(entry, subject, CASE_MEMBERS);
    const each = template['each'] ?? [{}];
    const rows = typeof each === 'string' ? tables[each] : each;
    return asList(rows, `${subject}: each`).map((row) => makeCase(subject, template, asObject(row, 'row')));
  });
}

function makeCase(subject: string, template: JsonObject, row: JsonObject): Case {
  const filled = asObject(
    fill(template, (name) => row[name]),
    subject,
  );
  const name = asString(filled['name'], `${subject}: name`);
  const profile = filled['profile'] ?? 'contract';
  if (profile !== 'interface' && profile !== 'contract') throw new TypeError(`${name}: profile "${profile}"`);
  return {
    subject,
    name,
    rule: asString(filled['rule'], `${name}: rule`),
    profile,
    given: asObject(filled['given'] ?? {}, `${name}: given`),
    request: filled['request'] ?? null,
    expect: filled['expect'] ?? null,
  };
}

async function readJson(url: URL): Promise<Json> {
  return JSON.parse(await readFile(url, 'utf8'));
}
