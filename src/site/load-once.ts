/** Modules that the first request loads. */

/**
 * Makes a function that loads a module once. Each `import()` looks the module up again, which takes a fifth of the time of a
 * drawing.
 */
export function loadOnce<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loaded: Promise<Module> | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}
