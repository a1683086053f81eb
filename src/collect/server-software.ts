/** Recognises the software of a Bukkit server in its version. */

/** Texts in versions, in lower case, with the names that are shown. The first one that a version contains counts. */
const knownSoftware: readonly (readonly [key: string, name: string])[] = [
  ['bukkit', 'Bukkit'],
  ['taco', 'TacoSpigot'],
  ['paper', 'Paper'],
  ['folia', 'Folia'],
  ['canvas', 'Canvas'],
  ['spigot', 'Spigot'],
  ['catserver', 'CatServer'],
  ['lava', 'Lava'],
  ['mohist', 'Mohist'],
  ['tuinity', 'Tuinity'],
  ['purpur', 'Purpur'],
  ['airplane', 'Airplane'],
  ['yatopia', 'Yatopia'],
  ['arclight', 'Arclight'],
  ['magma', 'Magma'],
  ['titanium', 'Titanium'],
  ['scissors', 'Scissors'],
  ['gale', 'Gale'],
  ['glowstone', 'Glowstone'],
  ['pufferfish', 'Pufferfish'],
  ['leaves', 'Leaves'],
  ['leaf', 'Leaf'],
  ['universespigot', 'UniverseSpigot'],
  ['advancedslimepaper', 'AdvancedSlimePaper'],
  ['carbon', 'Carbon'],
  ['ketting', 'Ketting'],
  ['axolotlspigot', 'AxolotlSpigot'],
  ['axolotl', 'AxolotlSpigot'],
  ['plazma', 'Plazma'],
  ['slimeworldmanager', 'SlimeWorldManager'],
  ['divinemc', 'DivineMC'],
  ['deepslatemc', 'DeepslateMC'],
];

/**
 * Finds the software of a server in the version and the name that it reports, `Unknown` for any other. The name counts only where it is
 * the whole key.
 */
export function serverSoftwareName(version: string, name: unknown): string {
  const lowerVersion = version.toLowerCase();
  const lowerName = typeof name === 'string' ? name.toLowerCase() : '';
  const found =
    knownSoftware.find(([key]) => lowerVersion.includes(key)) ??
    knownSoftware.find(([key]) => key === lowerName);
  return found?.[1] ?? 'Unknown';
}
