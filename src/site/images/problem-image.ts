/** An error as an image that says what is wrong. */
import { type Problem, problems } from '../../http/problem.ts';

/** The image of an error. */
export function problemImage({ kind }: Problem): { readonly mediaType: string; readonly body: string } {
  const { title } = problems[kind];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="100" role="img"><text x="16" y="56" font-size="16" font-family="sans-serif">${title}</text></svg>`;
  return { mediaType: 'image/svg+xml; charset=utf-8', body: svg };
}
