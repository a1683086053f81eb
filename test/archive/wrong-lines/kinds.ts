/** Wrong lines of any size; each kind is expensive for a careless reader. */
import { chartLine, dataLine, headerLine, pluginLine, softwareLine } from '../../support/archive-text.ts';

/** The lines of an archive before a wrong one. */
export const beforeWrongLine = [
  headerLine,
  softwareLine(),
  pluginLine(),
  chartLine(),
  chartLine({ chartId: 'pie', uid: 71, type: 'advanced_pie' }),
  chartLine({ chartId: 'cloud', uid: 72, type: 'word_cloud' }),
  '',
].join('\n');

/** Builds a line of about this many bytes, with the beginning of the message about it. */
export type WrongLine = readonly [line: (sizeBytes: number) => Uint8Array, message: RegExp];

/** Repeats a pattern between `before` and `after`. */
function filled(before: string, pattern: string, after: string): (sizeBytes: number) => Uint8Array {
  return (sizeBytes) => {
    const count = Math.floor((sizeBytes - before.length - after.length) / Buffer.byteLength(pattern));
    return Buffer.concat([
      Buffer.from(before),
      Buffer.alloc(count * Buffer.byteLength(pattern), pattern),
      Buffer.from(after),
    ]);
  };
}

/** A data record whose data is repeated up to the size. */
function data(
  chartId: string,
  pattern: string,
  before: string,
  after: string,
): (sizeBytes: number) => Uint8Array {
  const [start = '', end = ''] = dataLine(chartId, '|').split('|');
  return filled(start + before, pattern, after + end);
}

/** Object members with distinct names. */
function manyKeys(before: string, after: string): (sizeBytes: number) => Uint8Array {
  return (sizeBytes) => {
    const line = Buffer.alloc(sizeBytes, ' ');
    let at = line.write(before);
    for (let index = 0; at < sizeBytes - 40; index++) at += line.write(`"k${index}":${index},`, at);
    line.write(`"last":0${after}`, at);
    return line;
  };
}

const [nameStart = '', nameEnd = ''] = pluginLine({ name: '|' }).split('|');
const [settingsStart = '', settingsEnd = ''] = chartLine({ data: '|' }).split('"|"');
const tooMany = /^it has more than 1000000 arrays and objects$/;

/**
 * Lines by name. The charts of the data are `players`, a line; `pie`, an advanced_pie; `cloud`, a custom
 * type.
 */
export const wrongLines: Readonly<Record<string, WrongLine>> = {
  'points that are empty': [data('players', '[],', '[', '0]'), tooMany],
  'keys in data of another type': [
    manyKeys(dataLine('cloud', '{').slice(0, -1), '}}'),
    /^the data of a chart /,
  ],
  'settings of many keys': [
    manyKeys(`${settingsStart}{`, `}${settingsEnd}`),
    /^the settings of a chart may have /,
  ],
  'a record of many keys': [manyKeys('{', '}'), /^the field "record" must be one of .*, got none$/],
  'one field again and again': [
    filled('{"record":"plugin",', '"id":1,', '"id":1}'),
    /^the field "name", "owner", "softwareId", "isGlobal" is missing$/,
  ],
  'a name of letters of several bytes': [filled(nameStart, '\u{1f600}é', nameEnd), /^name must be /],
  'endless brackets': [filled('', '[', ''), /nested deeper than 100 levels$/],
  'UTF-8 that breaks off': [
    (sizeBytes) => Buffer.concat([filled(nameStart, 'é', nameEnd)(sizeBytes), Buffer.of(0xc3)]),
    /^the archive is cut off, or damaged, in this line/,
  ],
};
