/** The option `--software`: software of which a source gives only the id. */
import { AppError } from '../model/app-error.ts';
import { idSchema, maxId, nameSchema } from '../model/identifier.ts';
import { softwareUrlSchema } from '../model/software.ts';
import type { GivenSoftware } from '../upstream/find-software.ts';
import { shownValue } from './password-text.ts';

/**
 * Parses `1=bukkit:Bukkit / Spigot`, or several of these, one in each line.
 * @throws AppError `invalid`, naming the part that breaks a rule.
 */
export function parseSoftware(text: string): readonly GivenSoftware[] {
  return text.split('\n').map(parseLine);
}

function parseLine(text: string): GivenSoftware {
  const [, digits, url = '', name = ''] = /^([^=]*)=([^:]*):(.*)$/s.exec(text) ?? [];
  if (digits === undefined)
    throw new AppError('invalid', `it must be ID=URL:NAME, such as 1=bukkit:Bukkit, got ${shownValue(text)}`);
  const id = /^[1-9]\d{0,15}$/.test(digits) ? Number(digits) : 0;
  if (id < 1 || id > maxId) throw wrongPart('ID', idSchema, digits);
  if (!isMatch(softwareUrlSchema, url)) throw wrongPart('URL', softwareUrlSchema, url);
  if (!isMatch(nameSchema, name)) throw wrongPart('NAME', nameSchema, name);
  return { id, url, name };
}

function isMatch({ pattern }: { readonly pattern: string }, text: string): boolean {
  return new RegExp(pattern, 'u').test(text);
}

function wrongPart(part: string, { description }: { readonly description: string }, text: string): AppError {
  return new AppError(
    'invalid',
    `the ${part} of ID=URL:NAME must be ${description}, got ${shownValue(text)}`,
  );
}

/** Checks that no id and no url is given twice: a store cannot have both. @throws AppError `invalid`. */
export function checkGivenSoftware(software: readonly GivenSoftware[]): void {
  for (const [index, { id, url }] of software.entries()) {
    const before = software.slice(0, index).find((one) => one.id === id || one.url === url);
    if (before === undefined) continue;
    const twice = before.id === id ? `the ID ${id}` : `the URL ${url}`;
    throw new AppError('invalid', `${twice} is given twice`);
  }
}
