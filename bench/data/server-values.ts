/** Values that invented servers report. */

export const serverSoftware = ['Paper', 'Purpur', 'Spigot', 'CraftBukkit', 'Folia', 'Pufferfish'] as const;

export const javaVersions = [
  '21.0.2',
  '21.0.9',
  '25.0.1',
  '17.0.17',
  '1.8.0_492',
  '22.0.2',
  '21.0.5',
] as const;
