/**
 * Archives that break a rule, with the line and the message that refuse them. The rules for single fields are in
 * every-field.test.ts.
 */
import { gzipSync, zstdCompressSync } from 'node:zlib';
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
  ['a colon missing', '{"record" "plugin"}', /^it is not valid JSON: .* at position 10 /],
  ...[
    plugin().replace('false', 'fals'),
    plugin().replace('}', ',}'),
    plugin({ name: 'a\\b' }).replace('\\\\b', '\\x41'),
    plugin({ name: 'a' }).replace('"a"', '"a\t"'),
    ...['NaN', 'Infinity', '01', '+1', '.5', '1],'].map((value) => dataLine('players', `[[1,${value}]]`)),
  ].map((line) => [`the line ${JSON.stringify(line)}`, line, /^it is not valid JSON: ./] as const),
  ['two records on a line', `${plugin()}${plugin()}`, /^it is not valid JSON: ./],
  ['a line that is not UTF-8', Buffer.from(plugin({ name: 'é' }), 'latin1'), 'the line is not valid UTF-8'],
  [
    'a surrogate in UTF-8',
    Buffer.concat([Buffer.from('{"record":"'), Buffer.of(0xed, 0xa0, 0x80), Buffer.from('"}')]),
    'the line is not valid UTF-8',
  ],
  ['an array', '[1,2]', 'a record must be a JSON object, got [1,2]'],
  ['null', 'null', 'a record must be a JSON object, got null'],
  ['a missing record kind', '{"id":1}', `the field "record" must be one of ${records}, got none`],
  ['an unknown record', '{"record":"server"}', `the field "record" must be one of ${records}, got "server"`],
  [
    'a record named like a built-in',
    '{"record":"constructor"}',
    `the field "record" must be one of ${records}, got "constructor"`,
  ],
  [
    'a record named __proto__',
    '{"record":"__proto__"}',
    `the field "record" must be one of ${records}, got "__proto__"`,
  ],

  // Fields.
  ['a field called __proto__', plugin().replace('"id"', '"__proto__":{},"id"'), 'unknown field "__proto__"'],
  ['data missing', '{"record":"data","pluginId":7,"chartId":"players"}', 'the field "data" is missing'],
  [
    'an id beyond all doubles',
    plugin().replace('"id":7', '"id":1e999'),
    /^id must be an integer .*, got Infinity$/,
  ],
  [
    'an id of 2^53',
    plugin({ id: 2 ** 53 }),
    'id must be an integer from 1 to 9007199254740991, got 9007199254740992',
  ],
  [
    'a name of 201 characters',
    plugin({ name: 'x'.repeat(201) }),
    `name must be a string of 1 to 200 characters without control characters, got "${'x'.repeat(76)}...`,
  ],
  [
    'a name with half a surrogate pair',
    plugin({ name: 'a\ud800b' }),
    /^name must be a string of 1 to 200 characters without control characters, got "a\\ud800b"$/,
  ],

  // References and fields that cannot change.
  ['a plugin of an unknown software', plugin({ softwareId: 2 }), 'there is no software with the id 2'],
  ['a chart of an unknown plugin', chartLine({ pluginId: 8, uid: 99 }), 'there is no plugin with the id 8'],
  ['data of an unknown chart', dataLine('nope', '[[1,2]]'), 'plugin 7 has no chart "nope"'],
  [
    'data of a chart named like a built-in',
    dataLine('constructor', '[[1,2]]'),
    'plugin 7 has no chart "constructor"',
  ],
  ['a chart id in another case', dataLine('Players', '[[1,2]]'), 'plugin 7 has no chart "Players"'],
  ['the url of another software', softwareLine({ id: 2 }), 'the url "bukkit" belongs to software 1 already'],
  [
    'the uid of another chart',
    chartLine({ chartId: 'new', uid: 71 }),
    'the uid 71 belongs to chart "pie" of plugin 7 already',
  ],
  [
    'another uid',
    chartLine({ uid: 72 }),
    'the uid of a chart cannot change: "players" has the uid 70, got 72',
  ],
  [
    'another type for a line with points',
    chartLine({ type: 'advanced_pie' }),
    'the type of a chart that has data cannot change: "players" is a single_linechart, got advanced_pie',
  ],

  // Points.
  [
    'points that are null',
    dataLine('players', 'null'),
    'data must be an array of [timestamp, value], got null',
  ],
  [
    'a point without a value',
    dataLine('players', '[[1,2],[3]]'),
    'data[1] must be a pair [timestamp, value], got [3]',
  ],
  [
    'a timestamp beyond all doubles',
    dataLine('players', '[[1e999,2]]'),
    /^data\[0\]\[0\] must be .*, got Infinity$/,
  ],
  [
    'a value that is null',
    dataLine('players', '[[1,2],[2,null]]'),
    'data[1][1] must be a finite number, got null',
  ],
  [
    'a value beyond all doubles',
    dataLine('players', '[[1,1e999]]'),
    'data[0][1] must be a finite number, got Infinity',
  ],

  // Data of other chart types.
  [
    'slices that are points',
    dataLine('pie', '[[1,2]]'),
    'data[0] must be an object with the members name, y and no others, got [1,2]',
  ],
  [
    'slices over a mebibyte',
    dataLine('pie', `[{"name":"${'x'.repeat(1024 * 1024)}","y":1}]`),
    'the data of a chart of the type advanced_pie may have 1048576 bytes, got 1048595',
  ],

  [
    'settings over a mebibyte',
    chartLine({ data: { a: 'é'.repeat(512 * 1024) } }),
    'the settings of a chart may have 1048576 bytes, got 1048584',
  ],

  // Depth.
  [
    'a thousand levels in settings',
    chartLine().replace('"data":{', `"data":{"a":${'['.repeat(1000)}${']'.repeat(1000)},`),
    'it is nested deeper than 100 levels',
  ],
  [
    'a hundred thousand levels',
    dataLine('players', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
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
    'a header of another version',
    '{"record":"archive","version":3}',
    'version must be 1 or 2, the versions that this program reads, got 3',
  ],
  [
    'an end that counts too few',
    endLine(good.length - 1),
    `the end record says ${good.length - 1} records, but there are ${good.length}`,
  ],
  [
    'an end that counts too many',
    endLine(good.length + 1),
    `the end record says ${good.length + 1} records, but there are ${good.length}`,
  ],
  ['a byte order mark', `\ufeff${plugin()}`, /^it is not valid JSON: ./],
];

/** Data of the wrong shape for every type: the data, and the place that the message names. */
const badData: ReadonlyArray<readonly [type: string, data: string, message: string]> = [
  [
    'simple_map',
    '[{"code":"DEU","value":1}]',
    'data[0].code must be a country code of two capital letters (ISO 3166-1), got "DEU"',
  ],
  [
    'drilldown_pie',
    '{"drilldownData":[],"seriesData":[{"name":"a","y":1}]}',
    'data.seriesData[0]: the field "drilldown" is missing',
  ],
  ['word_cloud', '"text"', 'data must be an array or an object, got "text"'],
];

/** Whole files. The line is the one that the message names. */
const text = archiveText(good);
const badFiles: ReadonlyArray<
  readonly [what: string, file: string | Uint8Array, line: number, message: RefusedArchive['message']]
> = [
  ['an empty file', '', 1, `the archive is empty; the first line must be the header ${headerLine}`],
  [
    'an empty gzip file',
    gzipSync(''),
    1,
    `the archive is empty; the first line must be the header ${headerLine}`,
  ],
  ['only a line feed', '\n', 1, /^it is not valid JSON: ./],
  ['no header', text.split('\n').slice(1).join('\n'), 1, `the first line must be the header ${headerLine}`],
  ['only an end record', `${endLine(0)}\n`, 1, `the first line must be the header ${headerLine}`],
  [
    'an unknown version',
    text.replace('"version":1', '"version":3'),
    1,
    'version must be 1 or 2, the versions that this program reads, got 3',
  ],
  [
    'a version that is a string',
    text.replace('"version":1', '"version":"1"'),
    1,
    'version must be 1 or 2, the versions that this program reads, got "1"',
  ],
  ['only a header', `${headerLine}\n`, 1, 'the archive is incomplete: it stops here, without an end record'],
  [
    'no end',
    text.slice(0, text.lastIndexOf('{')),
    good.length + 1,
    'the archive is incomplete: it stops here, without an end record',
  ],
  ['a line truncated in its middle', text.slice(0, text.indexOf('"owner"')), 3, /^it is not valid JSON: ./],
  [
    'a line truncated before its line feed',
    text.slice(0, text.indexOf('\n', 60)),
    2,
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
    'a gzip file that is only a header',
    gzipSync(text).subarray(0, 10),
    1,
    /^the compressed archive is cut off or damaged: ./,
  ],
  [
    'truncated zstd',
    zstdCompressSync(text).subarray(0, -12),
    1,
    /^(the compressed archive is cut off or damaged: |the archive is empty)./,
  ],
  [
    'a zstd file that is damaged',
    zstdCompressSync(text).fill(0xff, 10, 60),
    1,
    /^the compressed archive is cut off or damaged: ./,
  ],
  [
    'a line after the end record',
    `${text}${plugin()}\n`,
    badLine + 1,
    'there is a line after the end record',
  ],
  ['an empty line after the end record', `${text}\n`, badLine + 1, 'there is a line after the end record'],
  ['two archives in one', text + text, badLine + 1, 'there is a line after the end record'],
  ['a byte order mark', `\ufeff${text}`, 1, /^it is not valid JSON: ./],
  ['UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le'), 1, 'the line is not valid UTF-8'],
  [
    'a global plugin that never comes',
    archiveText([...good, softwareLine({ globalPluginId: 99 })]),
    badLine + 1,
    'software 1 names the global plugin 99, which does not exist',
  ],
  [
    'a global plugin that does not exist in a software of its own',
    archiveText([softwareLine({ id: 5, url: 'other', globalPluginId: 99 })]),
    3,
    'software 5 names the global plugin 99, which does not exist',
  ],
];

/** Every archive that is refused. */
export const refusedArchives: readonly RefusedArchive[] = [
  ...badLines.map(([what, line, message]) => {
    const parts = [headerLine, ...good, line, endLine(good.length + 1)];
    const bytes = Buffer.concat(parts.flatMap((part) => [Buffer.from(part), Buffer.from('\n')]));
    return { what, bytes, line: badLine, message };
  }),
  ...badData.map(([type, json, message]) => ({
    what: `${json} as data of a ${type}`,
    bytes: Buffer.from(
      archiveText([...good, chartLine({ chartId: 'other', uid: 72, type }), dataLine('other', json)]),
    ),
    line: badLine + 1,
    message,
  })),
  ...badFiles.map(([what, file, line, message]) => ({
    what: `a file with ${what}`,
    bytes: Buffer.from(file),
    line,
    message,
  })),
];
