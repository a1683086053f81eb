/** Types for the package anafanafo, which has none. */
declare module 'anafanafo' {
  /**
   * Measures a text in pixels of a font, such as `bold 11px Verdana`. Throws for a character missing from its
   * table unless `guess` is true.
   */
  export default function anafanafo(
    text: string,
    options: { readonly font: string; readonly guess?: boolean },
  ): number;
}
