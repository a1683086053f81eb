/** The options of a server: its store, its output, its addresses and its limits. */
import type { ApiOptions } from '../api/api-endpoint.ts';
import type { Site } from '../http/app.ts';
import type { Limits } from '../http/limits.ts';
import type { Store } from '../model/store.ts';

/** Output for the operator. */
export interface ServeOutput {
  readonly printResult: (...lines: readonly string[]) => void;
  readonly printMessage: (line: string) => void;
}

/**
 * Options of `serve`. Those that the command line passes unchanged have the names of its settings, which this
 * room may not import; the compiler reports one that is missing or has another type.
 */
export interface ServeOptions extends ApiOptions {
  readonly store: Store;
  readonly output: ServeOutput;
  /** Version of the program. */
  readonly version: string;
  /** Time to wait at the start for an unreachable store. */
  readonly waitSeconds: number;
  readonly host: string;
  readonly port: number;
  /** As `ListenAddress` has it. */
  readonly fd: number | undefined;
  /** Number of processes; 0 means one per core. */
  readonly workers: number;
  /** Port of the admin listener; without it there is none. */
  readonly adminPort: number | undefined;
  readonly adminHost: string;
  readonly maxAgeSeconds: number;
  /** Loads pages, pictures and badges once the server listens; undefined to serve only the interface. */
  readonly loadSite: (() => Promise<Site>) | undefined;
  /** Address under which people find the server. */
  readonly publicUrl: string | undefined;
  readonly logRequests: boolean;
  /** Networks of proxies whose `X-Forwarded-For` counts, in CIDR notation. */
  readonly trustedProxies: readonly string[];
  /** Limits on clients; connections are divided among the processes. */
  readonly limits: Limits;
  /** Memory for the response caches of all processes together. */
  readonly cacheBytes: number;
}
