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

/** Titles for people; programs get those of `problems`. */
const titles: Partial<Readonly<Record<ProblemKind, string>>> = {
  'unknown-path': 'There is no such page',
  'unknown-plugin': 'There is no such plugin',
  'unknown-chart': 'There is no such chart',
  'unknown-software': 'There is no such software',
  'unknown-owner': 'There is no such owner',
  'malformed-query': 'This address cannot be read',
  'malformed-plugin-id': 'This address cannot be read',
  'undecodable-path': 'This address cannot be read',
  'store-unavailable': 'The metrics cannot be read at the moment',
  'internal-error': 'Something went wrong here',
};

function titleOf(kind: ProblemKind): string {
  return titles[kind] ?? problems[kind].title;
}

function sentence({ kind, detail }: Problem): string {
  if (kind === 'unknown-path') return 'It may have been removed, or the address may be mistyped.';
  if (kind === 'store-unavailable') return 'Try again in a few seconds.';
  return /[.!?]$/.test(detail) ? upperFirst(detail) : `${upperFirst(detail)}.`;
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const searchForm = `<form class="search" role="search" action="${homePath}">
<input class="field" type="search" name="q" maxlength="200" placeholder="Plugin or owner" aria-label="Search plugins and owners">
<button class="button">Search</button>
</form>
`;
