/** The styles and colours of badges, apart from the code that draws them: every request for a badge is checked against them. */

/** The styles of a badge. */
export const badgeStyles = ['flat', 'flat-square', 'plastic', 'for-the-badge'] as const;

/** The colours that badge services share, by name. */
export const badgeColours: Readonly<Record<string, string>> = {
  brightgreen: '#4b0',
  green: '#67ac09',
  yellowgreen: '#95991a',
  yellow: '#d8b800',
  orange: '#ea7233',
  red: '#dd4343',
  blue: '#007ec6',
  grey: '#555',
  lightgrey: '#939393',
};

/** The words and the look of a badge. */
export interface Badge {
  readonly label: string;
  readonly message: string;
  /** A name in {@link badgeColours}, or `#` and 3 or 6 hexadecimal digits. */
  readonly color: string;
  readonly style: (typeof badgeStyles)[number];
}
