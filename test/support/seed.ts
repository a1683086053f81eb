/**
 * The seed of random tests: PLUGIN_METRICS_TEST_SEED, or a random one for each process. fast-check prints it
 * when a test fails.
 */
import fc from 'fast-check';

/** A whole number; tests with randomness of their own print it. */
export const seed = Number(process.env['PLUGIN_METRICS_TEST_SEED'] ?? Math.trunc(Math.random() * 2 ** 31));

fc.configureGlobal({ seed });

export { fc };
