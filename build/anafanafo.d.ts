/** Types of the package anafanafo, which has none. */
declare module 'anafanafo' {
  /** Measures a text in pixels of a font, such as `bold 11px Verdana`. */
  export default function anafanafo(text: string, options: { readonly font: string }): number;
}
