/**
 * Styles and colours of badges, separate from the drawing code: every badge request is checked against them.
 */

/** Styles of a badge. */
export const badgeStyles = ['flat', 'flat-square', 'plastic', 'for-the-badge'] as const;

/** Named colours, the same as those of other badge services. */
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

/** Text and look of a badge. */
export interface Badge {
  readonly label: string;
  readonly message: string;
  /** A name from {@link badgeColours}, or `#` and 3 or 6 hexadecimal digits. */
  readonly color: string;
  readonly style: (typeof badgeStyles)[number];
}
