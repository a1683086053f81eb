/** Recognises the software of a Bukkit server in its version. */

/** Names that are shown, each after the text in versions by which it is known where that is another. The first one that a version contains counts. */
const names =
  'Bukkit taco:TacoSpigot Paper Folia Canvas Spigot CatServer Lava Mohist Tuinity Purpur Airplane Yatopia Arclight Magma Titanium Scissors Gale ' +
  'Glowstone Pufferfish Leaves Leaf UniverseSpigot AdvancedSlimePaper Carbon Ketting AxolotlSpigot axolotl:AxolotlSpigot Plazma SlimeWorldManager ' +
  'DivineMC DeepslateMC';

/** Texts in versions, in lower case, with the names. */
const knownSoftware = names.split(' ').map((entry) => {
  const [key = '', name = key] = entry.split(':');
  return [key.toLowerCase(), name] as const;
});

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
