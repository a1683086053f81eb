/**
 * The colours of pictures without a ground. They are as far from white as from near-black, and the same for everybody: the
 * system of a reader does not say whether the page around a picture is dark.
 */
import type { Palette } from './theme.ts';

const grey = '#747a85';

/** Colours that can be read on white and on near-black. */
export const transparentPalette: Palette = {
  ground: 'none',
  text: grey,
  muted: grey,
  grid: grey,
  axis: grey,
  // Any solid grey that is faint on white is loud on black.
  strokes: { grid: ' stroke-opacity=".25"', axis: ' stroke-opacity=".55"' },
  series0: '#3c6cfc',
  series1: '#c06036',
  series2: '#007872',
  series3: '#9c24c6',
  series4: '#ea721e',
  series5: '#3c96fc',
  series6: '#b4303c',
  series7: '#c08478',
  series8: '#8a6cb4',
  series9: '#8a90b4',
};
