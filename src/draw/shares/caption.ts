/** What a picture says of its chart, beside its data. */

/** The words of a picture. */
export interface Caption {
  readonly title: string;
  /** The text of `<desc>`. */
  readonly description: string;
}
