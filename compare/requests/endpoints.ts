/** Requests to all endpoints, for a catalogue. */
import { createRandom } from '../../sample/random.ts';
import type { Catalogue } from '../catalogue.ts';
import type { Request } from '../request.ts';
import { pageRequests } from './pages.ts';
import { badgeRequests, pictureRequests } from './pictures.ts';
import { v1Requests } from './v1.ts';
import { v2Requests } from './v2.ts';
import { wireRequests } from './wire.ts';

/** Requests to every endpoint, in all ways. */
export function everyRequest(catalogue: Catalogue, seed: string): readonly Request[] {
  const all = endpointRequests(catalogue, seed);
  return [...all, ...wireRequests(catalogue, all)];
}

/** The random catalogue has more of everything, so a third of the requests does for the sample. */
export function thirdOfRequests(catalogue: Catalogue, seed: string): readonly Request[] {
  return endpointRequests(catalogue, seed).filter((_, index) => index % 3 === 0);
}

/** The ways to ask for all endpoints, and some of the other requests. */
export function someRequests(catalogue: Catalogue, seed: string): readonly Request[] {
  const all = endpointRequests(catalogue, seed).filter(
    ({ kind }, index) => kind === 'files' || index % 29 === 0,
  );
  return [...all, ...wireRequests(catalogue, []).filter((_, index) => index % 7 === 0)];
}

function endpointRequests(catalogue: Catalogue, seed: string): readonly Request[] {
  const random = createRandom(`requests ${seed}`);
  return [
    ...v1Requests(catalogue, random),
    ...v2Requests(catalogue, random),
    ...pictureRequests(catalogue, random),
    ...badgeRequests(catalogue, random),
    ...pageRequests(catalogue, random),
  ];
}
