// The tables of the default pies: what servers run on, where they stand, and roughly how often.
import type { Weight, WeightGroup } from './shares.ts';

/** Whether servers check accounts. */
export const onlineModes: readonly Weight[] = [
  ['online', 62],
  ['offline', 38],
];

/** Minecraft versions. */
export const minecraftVersions: readonly Weight[] = [
  ['26.2', 34],
  ['26.1.2', 12],
  ['1.21.11', 19],
  ['1.21.8', 7],
  ['1.21.4', 6],
  ['1.21.1', 5],
  ['1.20.6', 3],
  ['1.20.4', 4],
  ['1.20.1', 3],
  ['1.19.4', 2],
  ['1.16.5', 2],
  ['1.12.2', 1],
  ['1.8.8', 2],
];

/** Server software of game servers. */
export const gameServers: readonly Weight[] = [
  ['Paper', 68],
  ['Purpur', 11],
  ['Spigot', 8],
  ['Unknown', 4],
  ['Leaf', 3],
  ['Folia', 1],
  ['Arclight', 1],
];

/** Versions of proxies. */
export const proxyVersions: readonly Weight[] = [
  ['3.5.0-SNAPSHOT', 55],
  ['3.4.0', 22],
  ['1.21-R0.4', 14],
  ['1.20-R0.2', 6],
  ['unknown', 2],
];

/** Versions of a plugin. */
export const pluginVersions: readonly Weight[] = [
  ['2.4.1', 48],
  ['2.4.0', 17],
  ['2.3.2', 14],
  ['2.0.0', 8],
  ['1.9.7', 9],
  ['2.5.0-SNAPSHOT', 1],
];

/** Processor cores. */
export const coreCounts: readonly Weight[] = [
  ['1', 4],
  ['2', 15],
  ['3', 3],
  ['4', 22],
  ['6', 12],
  ['8', 18],
  ['12', 9],
  ['16', 11],
  ['32', 5],
];

/** Processor architectures. */
export const architectures: readonly Weight[] = [
  ['amd64', 91],
  ['aarch64', 8],
  ['x86', 1],
];

/** Operating systems and their versions. */
export const operatingSystems: readonly WeightGroup[] = [
  [
    'Linux',
    [
      ['5.15.0-179-generic', 14],
      ['6.1.0-51-amd64', 12],
      ['6.8.0-137-generic', 21],
      ['6.12.85+deb13-amd64', 17],
      ['7.0.0-29-generic', 9],
    ],
  ],
  [
    'Windows',
    [
      ['Windows 10', 6],
      ['Windows 11', 11],
    ],
  ],
  [
    'Windows Server',
    [
      ['Windows Server 2019', 2],
      ['Windows Server 2022', 3],
    ],
  ],
  ['Mac OS X', [['26.1', 1]]],
  ['FreeBSD', [['14.3-RELEASE', 0.3]]],
];

/** Java releases and their updates. */
export const javaVersions: readonly WeightGroup[] = [
  [
    'Java 25',
    [
      ['25.0.4', 24],
      ['25.0.3', 13],
      ['25', 3],
    ],
  ],
  [
    'Java 21',
    [
      ['21.0.11', 27],
      ['21.0.10', 12],
      ['21.0.7', 6],
    ],
  ],
  [
    'Java 17',
    [
      ['17.0.19', 7],
      ['17.0.12', 3],
    ],
  ],
  ['Java 8', [['1.8.0_492', 3]]],
];

/** Countries by ISO 3166-1 alpha-2 code. */
export const countries: readonly Weight[] = [
  ['US', 26],
  ['DE', 21],
  ['FR', 9],
  ['GB', 6],
  ['RU', 6],
  ['PL', 5],
  ['NL', 4],
  ['BR', 4],
  ['CN', 4],
  ['SG', 3],
  ['CA', 3],
  ['FI', 2],
  ['AU', 2],
  ['UA', 2],
  ['TR', 1],
  ['IN', 1],
  ['JP', 1],
  ['ZA', 0.5],
  ['SA', 0.5],
  ['CI', 0.2],
];

/** What the countries are called. */
export const countryNames: ReadonlyMap<string, string> = new Map([
  ['US', 'United States'],
  ['DE', 'Germany'],
  ['FR', 'France'],
  ['GB', 'United Kingdom'],
  ['RU', 'Russia'],
  ['PL', 'Poland'],
  ['NL', 'Netherlands'],
  ['BR', 'Brazil'],
  ['CN', 'China'],
  ['SG', 'Singapore'],
  ['CA', 'Canada'],
  ['FI', 'Finland'],
  ['AU', 'Australia'],
  ['UA', 'Ukraine'],
  ['TR', 'Türkiye'],
  ['IN', 'India'],
  ['JP', 'Japan'],
  ['ZA', 'South Africa'],
  ['SA', 'Saudi Arabia'],
  ['CI', "Côte d'Ivoire"],
]);
