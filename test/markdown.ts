/** The parts of a Markdown document that tests read: code blocks, links and headings. */

/** A command, with its output if the document shows it. */
export interface ShellBlock {
  readonly command: string;
  readonly output: string | undefined;
}

/** Lists the `sh` blocks, each with the `text` block that directly follows. */
export function shellBlocks(document: string): readonly ShellBlock[] {
  const blocks = codeBlocks(document);
  return blocks.flatMap(({ language, text, end }, index) => {
    const next = blocks[index + 1];
    const isOutput = next?.start === end + 1 && next.language === 'text';
    return language === 'sh' ? [{ command: text, output: isOutput ? next.text : undefined }] : [];
  });
}

export interface CodeBlock {
  readonly language: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Lists the fenced blocks; `start` is the offset of a block, `end` the one after its last line. */
export function codeBlocks(document: string): readonly CodeBlock[] {
  return [...document.matchAll(/^```(\w+)\n([\s\S]*?)\n```\n/gm)].map((match) => {
    const [all, language = '', text = ''] = match;
    return { language, text, start: match.index, end: match.index + all.length };
  });
}

/** Returns the text of a section; throws if there is no such title. */
export function sectionOf(document: string, title: string): string {
  const [, section] = document.split(`\n## ${title}\n`);
  if (section === undefined) throw new Error(`there is no section ${title}`);
  return section.split('\n## ')[0] ?? '';
}

/** Lists the targets of links and pictures within the tree. */
export function linksOf(document: string): readonly string[] {
  const prose = document.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '');
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g), ...prose.matchAll(/\bsrc(?:set)?="([^"]+)"/g)];
  const targets = links.map(([, target = '']) => target);
  return targets.filter((target) => !/^[a-z]+:/.test(target));
}

/** Lists the anchors of the headings. */
export function headingsOf(document: string): readonly string[] {
  return [...document.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
