/** A parser for the Dockerfile. */
import { DockerfileParser, type ModifiableInstruction } from 'dockerfile-ast';
import { readDocument } from '../doc-tables.ts';

/** One instruction: `COPY`, and the text after it, without its flags. `RUN` has those of its command. */
export interface Instruction {
  readonly keyword: string;
  readonly flags: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The instructions of each stage, `FROM` first. */
export function stages(): readonly (readonly Instruction[])[] {
  const found: Instruction[][] = [];
  for (const instruction of DockerfileParser.parse(readDocument('Dockerfile')).getInstructions()) {
    const keyword = instruction.getKeyword();
    if (keyword === 'FROM') found.push([]);
    const words = instruction.getArguments().map((word) => word.getValue());
    const own = 'getFlags' in instruction ? (instruction as ModifiableInstruction).getFlags() : [];
    const flags = [
      ...own.map((flag) => [flag.getName(), flag.getValue() ?? '']),
      ...words.filter((word) => word.startsWith('--')).map((word) => word.slice(2).split('=')),
    ];
    found.at(-1)?.push({
      keyword,
      flags: Object.fromEntries(flags.map(([name = '', value = '']) => [name, value])),
      text: words.filter((word) => keyword === 'RUN' || !word.startsWith('--')).join(' '),
    });
  }
  return found;
}

/** The environment that the image sets for the program. */
export function imageEnvironment(): Readonly<Record<string, string>> {
  const properties = DockerfileParser.parse(readDocument('Dockerfile'))
    .getENVs()
    .flatMap((env) => env.getProperties());
  return Object.fromEntries(properties.map((property) => [property.getName(), property.getValue() ?? '']));
}
