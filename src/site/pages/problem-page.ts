/** An error as a page, rendered without the store. */
import { html } from 'ghtml';
import { type Problem, type ProblemKind, problems } from '../../http/problem.ts';
import { homePath } from '../address/paths.ts';
import { renderPage } from './page.ts';
import { pageHeaders, pageMediaType } from './page-question.ts';

/** Renders the page of an error. */
export async function renderProblemPage(problem: Problem): Promise<{
  readonly mediaType: string;
  readonly body: string;
  readonly headers: readonly string[];
}> {
  const { status } = problems[problem.kind];
  const title = titleOf(problem.kind);
  const head = { title, description: title, origin: '' };
  const body = await renderPage(
    head,
    html`<div class="subject">
<p class="kicker">${status}</p>
<h1>${title}</h1>
<p class="by">${sentence(problem)}</p>
</div>
!${status === 404 || status === 400 ? searchForm : ''}<p class="way"><a href="${homePath}">All plugins</a></p>
`,
  );
  return { mediaType: pageMediaType, body, headers: pageHeaders };
}

/** The title for people; programs get that of `problems`. */
function titleOf(kind: ProblemKind): string {
  const [, unknown] = /^unknown-(\w+)$/.exec(kind) ?? [];
  if (unknown !== undefined) return `There is no such ${unknown === 'path' ? 'page' : unknown}`;
  if (kind === 'store-unavailable') return 'The metrics cannot be read at the moment';
  if (kind === 'internal-error') return 'Something went wrong here';
  const { status, title } = problems[kind];
  return status === 400 ? 'This address cannot be read' : title;
}

function sentence({ kind, detail }: Problem): string {
  if (kind === 'unknown-path') return 'It may have been removed, or the address may be mistyped.';
  if (kind === 'store-unavailable') return 'Try again in a few seconds.';
  return `${detail.charAt(0).toUpperCase()}${detail.slice(1)}${/[.!?]$/.test(detail) ? '' : '.'}`;
}

const searchForm = `<form class="search" role="search" action="${homePath}">
<input class="field" type="search" name="q" maxlength="200" placeholder="Plugin or owner" aria-label="Search plugins and owners">
<button class="button">Search</button>
</form>
`;
