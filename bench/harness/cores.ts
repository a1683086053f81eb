/** Which processor cores serve and which make the load. */
import { readFileSync } from 'node:fs';
import type { Cores } from '../question.ts';

/** The cores of this machine, dealt out. Throws where there are fewer than two. */
export function dealCores(): Cores {
  const [first, second, third, fourth] = allowedCores();
  if (first === undefined || second === undefined) {
    throw new Error('this needs two processor cores: one for the server, one for the load');
  }
  const spare = [third, fourth].filter((core) => core !== undefined);
  return {
    server: String(first),
    load: String(second),
    twoServers: `${first},${second}`,
    twoServersLoad: (spare.length > 0 ? spare : [first, second]).join(','),
  };
}

/** The numbers of the cores that this process may use: in a container they need not begin at 0. */
function allowedCores(): number[] {
  const list = /^Cpus_allowed_list:\s+(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
  return list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}
