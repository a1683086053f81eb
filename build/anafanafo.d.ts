/** Types of the package anafanafo, which has none. */
declare module 'anafanafo' {
  /** Measures a text in pixels of a font, such as `bold 11px Verdana`; throws for a character that it lacks if it may not `guess`. */
  export default function anafanafo(
    text: string,
    options: { readonly font: string; readonly guess?: boolean },
  ): number;
}
