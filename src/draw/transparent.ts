/**
 * The colours of pictures without a ground, halfway between white and near-black. They do not follow the reader's system, which
 * does not say whether the page around the picture is dark.
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
  // A solid grey that is faint on white stands out on black.
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
