// Countries of addresses from a MaxMind database.
import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { CountryFile } from '../../src/collect/country-file.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { countryDatabase } from './country-database.ts';

const directory = temporaryDirectory();
after(() => directory[Symbol.dispose]());

const germany = { network: '198.51.100.0/24', code: 'DE', name: 'Germany' };
const japan = { network: '203.0.113.0/25', code: 'JP', name: 'Japan' };

test('an address has the country of its network', () => {
  const path = directory.at('countries.mmdb');
  writeFileSync(path, countryDatabase([germany, japan]));
  const file = new CountryFile(path);
  assert.deepEqual(file.find('198.51.100.7'), { code: 'DE', name: 'Germany' });
  assert.deepEqual(file.find('203.0.113.127'), { code: 'JP', name: 'Japan' });
  for (const address of ['203.0.113.128', '127.0.0.1', '::1', '2001:db8::1', 'somewhere', ''])
    assert.equal(file.find(address), undefined, address);
});

test('a code that is not of two letters is left out', () => {
  const path = directory.at('codes.mmdb');
  writeFileSync(path, countryDatabase([{ ...germany, code: 'Deutschland' }]));
  assert.equal(new CountryFile(path).find('198.51.100.7'), undefined);
});

test('a file that has changed is read again, unless it is damaged', () => {
  const path = directory.at('changing.mmdb');
  let now = 0;
  const replace = (bytes: Uint8Array) => {
    writeFileSync(`${path}.new`, bytes);
    renameSync(`${path}.new`, path);
  };
  replace(countryDatabase([germany]));
  const file = new CountryFile(path, () => now);
  const codeAfter = (bytes: Uint8Array) => {
    replace(bytes);
    now += 60_000;
    return file.find('198.51.100.7')?.code;
  };
  assert.equal(codeAfter(countryDatabase([{ ...germany, code: 'AT', name: 'Austria' }])), 'AT');
  assert.equal(codeAfter(Buffer.from('half of a file')), 'AT');
  assert.equal(codeAfter(countryDatabase([{ ...germany, code: 'CH', name: 'Switzerland' }])), 'CH');
});

test('a file that cannot be used is refused', () => {
  assert.throws(() => new CountryFile(directory.at('nowhere.mmdb')), {
    code: 'unavailable',
    message: /^the database of countries .*nowhere\.mmdb cannot be read: ENOENT/,
  });
  const path = directory.at('other.mmdb');
  writeFileSync(path, 'this is no database');
  assert.throws(() => new CountryFile(path), {
    code: 'invalid',
    message: `${path} is not a MaxMind database`,
  });
});

test('a database with a damaged part gives no country, and no error', () => {
  const path = directory.at('damaged.mmdb');
  const whole = countryDatabase([germany]);
  for (let at = 0; at < whole.length - 150; at += 3) {
    const bytes = Buffer.from(whole);
    bytes.fill(0xff, at, at + 3);
    writeFileSync(path, bytes);
    new CountryFile(path).find('198.51.100.7');
  }
});
