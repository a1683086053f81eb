/** What a badge may look like, without what draws it. */

/** The forms of a badge. */
export const badgeStyles = ['flat', 'flat-square', 'plastic', 'for-the-badge'] as const;

/** The names of colours that badge services share. */
export const badgeColourNames = [
  'brightgreen',
  'green',
  'yellowgreen',
  'yellow',
  'orange',
  'red',
  'blue',
  'grey',
  'lightgrey',
] as const;

/** What a badge says, and how. */
export interface Badge {
  readonly label: string;
  readonly message: string;
  /** One of {@link badgeColourNames}, or `#` and hexadecimal digits. */
  readonly color: string;
  readonly style: (typeof badgeStyles)[number];
}
