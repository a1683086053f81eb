/** Modules that are loaded by the first request that needs them. */

/**
 * What loads a module once. Node looks a module up again for each `import()`, which takes as long as a fifth of a drawing.
 */
export function loadOnce<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loaded: Promise<Module> | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}
