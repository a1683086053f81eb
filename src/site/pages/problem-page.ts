/** An error as a page. */
import { type Problem, problems } from '../../http/problem.ts';

/** The page of an error. */
export function problemPage({ kind }: Problem): {
  readonly mediaType: string;
  readonly body: string;
  readonly headers: readonly string[];
} {
  const { title } = problems[kind];
  const body = `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1></html>`;
  return {
    mediaType: 'text/html; charset=utf-8',
    body,
    headers: ['Content-Security-Policy', "default-src 'none'"],
  };
}
