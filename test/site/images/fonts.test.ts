// The fonts of PNGs in a folder of caches.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { fontconfigFile, keepFonts } from '../../../src/site/images/fonts.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

test('the fonts are copied to a folder of caches once, with their settings', () => {
  using directory = temporaryDirectory();
  const settings = keepFonts(directory.at('cache'));
  assert.deepEqual(readFileSync(settings), readFileSync(fontconfigFile));
  const fonts = readdirSync(dirname(fontconfigFile)).filter((name) => name.endsWith('.ttf'));
  assert.deepEqual(readdirSync(dirname(settings)).sort(), ['fonts.conf', ...fonts].sort());
  writeFileSync(settings, 'kept');
  assert.equal(keepFonts(directory.at('cache')), settings);
  assert.equal(readFileSync(settings, 'utf8'), 'kept');
  assert.equal(readdirSync(directory.at('cache')).length, 1);
});

test('where nothing can be written, the settings are those of the package', () => {
  using directory = temporaryDirectory();
  writeFileSync(directory.at('file'), '');
  assert.equal(keepFonts(directory.at('file')), fontconfigFile);
});
