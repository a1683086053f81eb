/**
 * Archives that break a rule, with the line and the message that refuse them. The rules for single fields are
 * in every-field.test.ts.
 */
import { gzipSync } from 'node:zlib';
import {
  archiveText,
  chartLine,
  dataLine,
  endLine,
  headerLine,
  pluginLine,
  softwareLine,
} from '../support/archive-text.ts';

/** An archive that is refused as a whole. */
export interface RefusedArchive {
  readonly what: string;
  readonly bytes: Uint8Array;
  /** The line that the message names. */
  readonly line: number;
  readonly message: string | RegExp;
}

const plugin = (fields: Readonly<Record<string, unknown>> = {}) => pluginLine({ name: 'Renamed', ...fields });
/** The good lines before the bad one, 2 to 7; they rename everything in a store that has them. */
export const good = [
  softwareLine({ name: 'Renamed' }),
  plugin(),
  chartLine({ title: 'Renamed' }),
  chartLine({ chartId: 'pie', uid: 71, type: 'advanced_pie', title: 'Renamed' }),
  dataLine('players', '[[1000,9],[3000,9]]'),
  dataLine('pie', '[{"name":"renamed","y":1}]'),
];
const badLine = good.length + 2;

const records = 'archive, software, plugin, oldName, chart, data, history, event, removal, end';

/** A bad line behind good ones, and the message about it. */
const badLines: ReadonlyArray<
  readonly [what: string, line: string | Uint8Array, message: RefusedArchive['message']]
> = [
  // Lines that are not records.
  ['an empty line', '', /^it is not valid JSON: ./],
  ['no JSON', 'hello', /^it is not valid JSON: ./],
  [
    'half of a line',
    plugin().slice(0, 40),
    'the archive is cut off, or damaged, in this line: it has no closing brace',
  ],
  ...[
    plugin().replace('false', 'fals'),
    plugin({ name: 'a\\b' }).replace('\\\\b', '\\x41'),
    plugin({ name: 'a' }).replace('"a"', '"a\t"'),
    ...['NaN', '01', '1],'].map((value) => dataLine('players', `[[1,${value}]]`)),
  ].map((line) => [`the line ${JSON.stringify(line)}`, line, /^it is not valid JSON: ./] as const),
  ['a line that is not UTF-8', Buffer.from(plugin({ name: 'é' }), 'latin1'), 'the line is not valid UTF-8'],
  [
    'a surrogate in UTF-8',
    Buffer.concat([Buffer.from('{"record":"'), Buffer.of(0xed, 0xa0, 0x80), Buffer.from('"}')]),
    'the line is not valid UTF-8',
  ],
  ['an array', '[1,2]', 'a record must be a JSON object, got [1,2]'],
  ['a missing record kind', '{"id":1}', `the field "record" must be one of ${records}, got none`],
  ['an unknown record', '{"record":"server"}', `the field "record" must be one of ${records}, got "server"`],

  // Points.
  [
    'a value beyond all doubles',
    dataLine('players', '[[1,1e999]]'),
    'data[0][1] must be a finite number, got Infinity',
  ],

  [
    'settings over a mebibyte',
    chartLine({ data: { a: 'é'.repeat(512 * 1024) } }),
    'the settings of a chart may have at most 1048576 bytes, got 1048584',
  ],

  // Depth.
  [
    'a thousand levels in settings',
    chartLine().replace('"data":{', `"data":{"a":${'['.repeat(1000)}${']'.repeat(1000)},`),
    'it is nested deeper than 100 levels',
  ],

  // The header and the end record.
  ['a second header', headerLine, 'only the first line may be an archive record'],
  [
    'data with a time in an archive of version 1',
    `${dataLine('pie', '[]').slice(0, -1)},"at":0}`,
    'the field "at" needs the header {"record":"archive","version":2}',
  ],
  ...[
    '{"record":"history","pluginId":7,"chartId":"pie","times":[],"series":[]}',
    '{"record":"event","pluginId":7,"time":0,"title":"1.0","url":null}',
    '{"record":"oldName","pluginId":7,"name":"Before"}',
    '{"record":"removal","pluginId":7,"before":null}',
  ].map((line) => {
    const { record } = JSON.parse(line);
    const message = `a record "${record}" needs the header {"record":"archive","version":2}`;
    return [`a record "${record}" in an archive of version 1`, line, message] as const;
  }),
  [
    'an end that counts too few',
    endLine(good.length - 1),
    `the end record says ${good.length - 1} records, but there are ${good.length}`,
  ],
];

/** Whole files. The line is the one that the message names. */
const text = archiveText(good);
const badFiles: ReadonlyArray<
  readonly [what: string, file: string | Uint8Array, line: number, message: RefusedArchive['message']]
> = [
  ['an empty file', '', 1, `the archive is empty; the first line must be the header ${headerLine}`],
  ['no header', text.split('\n').slice(1).join('\n'), 1, `the first line must be the header ${headerLine}`],
  [
    'an unknown version',
    text.replace('"version":1', '"version":4'),
    1,
    'version must be 1, 2 or 3, the versions that this program reads, got 4',
  ],
  [
    'no end',
    text.slice(0, text.lastIndexOf('{')),
    good.length + 1,
    'the archive is incomplete: it stops here, without an end record',
  ],
  [
    'truncated gzip',
    gzipSync(text).subarray(0, -12),
    good.length + 2,
    'the compressed archive is cut off or damaged: unexpected end of file',
  ],
  [
    'a gzip file that is damaged',
    gzipSync(text).fill(0xff, 30, 60),
    1,
    /^the compressed archive is cut off or damaged: ./,
  ],
  [
    'a line after the end record',
    `${text}${plugin()}\n`,
    badLine + 1,
    'there is a line after the end record',
  ],
  ['UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le'), 1, 'the line is not valid UTF-8'],
  [
    'a global plugin that never comes',
    archiveText([...good, softwareLine({ globalPluginId: 99 })]),
    badLine + 1,
    'software 1 names the global plugin 99, which does not exist',
  ],
];

/** Every archive that is refused. */
export const refusedArchives: readonly RefusedArchive[] = [
  ...badLines.map(([what, line, message]) => {
    const parts = [headerLine, ...good, line, endLine(good.length + 1)];
    const bytes = Buffer.concat(parts.flatMap((part) => [Buffer.from(part), Buffer.from('\n')]));
    return { what, bytes, line: badLine, message };
  }),
  ...badFiles.map(([what, file, line, message]) => ({
    what: `a file with ${what}`,
    bytes: Buffer.from(file),
    line,
    message,
  })),
];
