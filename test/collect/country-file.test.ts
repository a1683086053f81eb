// Countries of addresses from a MaxMind database.
import assert from 'node:assert/strict';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openCountryFile } from '../../src/collect/country-file.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';
import { countryDatabase } from './country-database.ts';

const directory = directoryOfFile();

/** Interval at which a file is looked at. */
const lookMs = 20;

const germany = { network: '198.51.100.0/24', code: 'DE', name: 'Germany' };
const japan = { network: '203.0.113.0/25', code: 'JP', name: 'Japan' };

test('an address has the country of its network', () => {
  const path = directory.at('countries.mmdb');
  writeFileSync(path, countryDatabase([germany, japan]));
  const find = openCountryFile(path);
  assert.deepEqual(find('198.51.100.7'), { code: 'DE', name: 'Germany' });
  assert.deepEqual(find('203.0.113.127'), { code: 'JP', name: 'Japan' });
  for (const address of ['203.0.113.128', '127.0.0.1', '::1', '2001:db8::1', 'somewhere', ''])
    assert.equal(find(address), undefined, address);
});

test('a code that is not of two letters is left out', () => {
  const path = directory.at('codes.mmdb');
  writeFileSync(path, countryDatabase([{ ...germany, code: 'Deutschland' }]));
  assert.equal(openCountryFile(path)('198.51.100.7'), undefined);
});

test('a database with a damaged part gives no country, and no error', () => {
  const path = directory.at('damaged.mmdb');
  const whole = countryDatabase([germany]);
  for (let at = 0; at < whole.length - 150; at += 3) {
    const bytes = Buffer.from(whole);
    bytes.fill(0xff, at, at + 3);
    writeFileSync(path, bytes);
    openCountryFile(path)('198.51.100.7');
  }
});

test('a file that has changed is read again, unless it is damaged or gone', async () => {
  const path = directory.at('changing.mmdb');
  const replace = (bytes: Uint8Array) => {
    writeFileSync(`${path}.new`, bytes);
    renameSync(`${path}.new`, path);
  };
  replace(countryDatabase([germany]));
  const find = openCountryFile(path, lookMs);
  const becomes = async (code: string) => {
    while (find('198.51.100.7')?.code !== code) await sleep(lookMs);
  };
  replace(countryDatabase([{ ...germany, code: 'AT', name: 'Austria' }]));
  await becomes('AT');
  replace(Buffer.from('half of a file'));
  await sleep(5 * lookMs);
  rmSync(path);
  await sleep(5 * lookMs);
  await becomes('AT');
  replace(countryDatabase([{ ...germany, code: 'CH', name: 'Switzerland' }]));
  await becomes('CH');
});

test('a file that cannot be used is refused', () => {
  assert.throws(() => openCountryFile(directory.at('nowhere.mmdb')), {
    code: 'unavailable',
    message: /^the countries in \S*nowhere\.mmdb cannot be read: there is no such file$/,
  });
  const path = directory.at('other.mmdb');
  writeFileSync(path, 'this is no database');
  assert.throws(() => openCountryFile(path), {
    code: 'invalid',
    message: `${path} is not a MaxMind database`,
  });
});
