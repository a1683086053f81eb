/** CSV files that are refused, with the line and the message. */

const columns =
  'the columns must be timestamp and value, separated by a comma, or a header must name columns so';
const isoRule =
  'timestamp must be ISO 8601 such as 2026-11-20T12:30:00Z or 2026-11-20, Unix seconds or Unix milliseconds';
const offsetRule = 'timestamp must end with Z for UTC, or with an offset such as +02:00';
const digitsRule =
  'timestamp may be seconds or milliseconds, as it has not 10 or 13 digits; --time-unit s or ms says which';
const valueRule = 'value must be a finite number such as 12 or -3.5';
const rangeRule = 'timestamp must be from 1970 on, and at most 8640000000000000 Unix milliseconds';
const countRule = (expected: number, found: number) =>
  `the row must have ${expected} columns, got ${found}; decimals are written with a point`;

/** The files, and the option that some of them need. */
export const refusedCsvFiles: ReadonlyArray<
  readonly [
    what: string,
    text: string | Uint8Array,
    line: number,
    said: string,
    options?: { readonly timeUnit: 's' | 'ms' },
  ]
> = [
  ['an empty file', '', 1, `the file is empty; ${columns}`],
  ['a header with other names', 'time,players\n2026-11-20,1\n', 1, `${columns}; got "time,players"`],
  ['one column', '2026-11-20\n', 1, `${columns}; got "2026-11-20"`],
  ['semicolons and a decimal comma', '2026-11-20;1,5\n', 1, `${columns}; got "2026-11-20;1,5"`],
  ['binary garbage', Buffer.from([0, 1, 0xff, 0xfe, 0x80]), 1, `${columns}; got "\\u0000\\u0001���"`],
  ['a header twice', 'timestamp,value\ntimestamp,value\n', 2, `${isoRule}; got "timestamp"`],
  ['a row with more columns', '2026-11-20,1\n\n2026-11-21,1,5\n', 3, countRule(2, 3)],
  ['a decimal comma in quotes', 'timestamp,value\r\n2026-11-20,"1,5"\r\n', 2, `${valueRule}, got "1,5"`],
  ...['1 000', '0x10', 'NaN', '1e999', '.5', '٣'].map(
    (value) =>
      [
        `the value ${value}`,
        `2026-11-20,1\n2026-11-20,${value}\n`,
        2,
        `${valueRule}, got "${value}"`,
      ] as const,
  ),
  ...[
    'soon',
    '2026-02-30',
    '2026-11-20T24:00Z',
    '2026-11-20T12:00:60Z',
    '2026-11-20T12:00:00.0001Z',
    '2026-11-20T12:00:00+24:00',
    '-1479799800',
    '1479799800.5',
    '+12026-11-20',
  ].map(
    (time) =>
      [`the timestamp ${time}`, `timestamp,value\n${time},1\n`, 2, `${isoRule}; got "${time}"`] as const,
  ),
  ...['2026-11-20T12:00:00', '2026-11-20 12:00'].map(
    (time) =>
      [`the timestamp ${time} without an offset`, `${time},1\n`, 1, `${offsetRule}; got "${time}"`] as const,
  ),
  ...['0', '0479799800', '1479799800000000'].map(
    (time) => [`the timestamp ${time}`, `${time},1\n`, 1, `${digitsRule}; got "${time}"`] as const,
  ),
  [
    'milliseconds after seconds',
    `1479799800,1\n1479799800000,1\n`,
    2,
    'timestamp must be Unix seconds, as before; got Unix milliseconds, "1479799800000"',
  ],
  [
    'ISO 8601 with --time-unit',
    '2026-11-20,1\n',
    1,
    'timestamp must be Unix seconds, as --time-unit says; got ISO 8601, "2026-11-20"',
    { timeUnit: 's' },
  ],
  ['a time before 1970', '1970-01-01T00:00+00:01,1\n', 1, `${rangeRule}; got "1970-01-01T00:00+00:01"`],
  [
    'seconds beyond all times',
    '8640000000001,1\n',
    1,
    `${rangeRule}; got "8640000000001"`,
    { timeUnit: 's' },
  ],
  [
    'an unclosed quote',
    '2026-11-20,1\n2026-11-21,"1\n2026-11-22,1\n',
    2,
    'a quote is opened here and never closed',
  ],
  [
    'an unclosed quote in a large file',
    `2026-11-20,1\n2026-11-21,"1\n${'2026-11-22,1\n'.repeat(100_000)}`,
    2,
    'the row is longer than 1048576 bytes; perhaps a quote is not closed',
  ],
  [
    'a quote inside a cell',
    '2026-11-20,1\n2026-11-21,1"2\n',
    2,
    'a quote stands inside a cell; quotes must enclose a whole cell',
  ],
  [
    'an error after a cell of several lines that end with CRLF',
    'timestamp,value,note\r\n2026-11-20,1,"a\r\nb\r\n\r\nc"\r\nsoon,1,\r\n',
    6,
    `${isoRule}; got "soon"`,
  ],
];
