/** The images of the site. */
import type { Endpoint } from '../../http/endpoint.ts';
import { chartImage } from './chart-image.ts';

/** Their endpoints. */
export const imageEndpoints: readonly Endpoint[] = [chartImage];
