/** Parts of the program that are loaded when they are first needed. */

/**
 * A part could not be loaded. Only a page that is loaded again gets it: browsers remember a failure, and after an upgrade the server has other
 * parts.
 */
export class PartFailure extends Error {}

/** Waits for a part. Throws PartFailure. */
export function loadPart<Part>(part: Promise<Part>): Promise<Part> {
  return part.catch((cause: unknown) => {
    throw new PartFailure('a part of the script could not be loaded', { cause });
  });
}
