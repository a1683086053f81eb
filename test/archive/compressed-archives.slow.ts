// Archives in gzip or zstd: in several members or frames, truncated, and with trailing data.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { skippableFrame, trailingArchives, truncatedArchives, wholeArchives } from './damaged-archives.ts';
import { assertBytesRefused, kindsIn } from './refused-bytes.ts';

for (const [what, bytes] of Object.entries(wholeArchives)) {
  test(`${what} is read`, async () => {
    assert.deepEqual(await kindsIn(bytes), ['software', 'plugin', 'end']);
  });
}

test('skippable frames alone are an empty archive', async () => {
  await assertBytesRefused(skippableFrame(3, 9), /^the archive is empty;/);
});

for (const [name, archives] of Map.groupBy([1, 500_000].flatMap(trailingArchives), ({ what }) => what)) {
  test(`trailing data that does not belong to ${name} is refused`, async () => {
    const message =
      /^(there is other data after the end of the compressed archive$|the compressed archive is cut off or damaged: .)/;
    for (const { trailer, bytes } of archives) await assertBytesRefused(bytes, message, trailer);
  });
}

for (const [name, archives] of Object.entries(truncatedArchives)) {
  test(`${name} truncated at any byte is refused`, async () => {
    for (const bytes of archives) await assertBytesRefused(bytes, /./, `${bytes.length} bytes`);
  });
}
