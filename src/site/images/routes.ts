/** The images of the site. */
import type { Endpoint } from '../../http/endpoint.ts';
import type { Directories } from '../directory/directories.ts';
import { chartBadge } from './chart-badge.ts';
import { chartImage } from './chart-image.ts';
import { linesImages } from './lines-image.ts';
import { overviewImage } from './overview-image.ts';
import type { PngMaker } from './png-maker.ts';
import { signatureImage } from './signature-image.ts';
import { sumBadges } from './sum-badge.ts';

/** Their endpoints. */
export function imageEndpoints(directories: Directories, pngs: PngMaker): readonly Endpoint[] {
  return [
    overviewImage(pngs),
    chartImage(pngs),
    signatureImage(directories, pngs),
    ...linesImages(pngs),
    chartBadge,
    ...sumBadges,
  ];
}
