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
  series2: '#e17524',
  series3: '#755199',
  series4: '#9090bd',
  series5: '#5151cf',
  series6: '#ab3f09',
  series7: '#1299fc',
  series8: '#a26c7e',
  series9: '#876cbd',
  series10: '#bd877e',
  series11: '#90515a',
};
