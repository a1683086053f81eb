/** The fonts of PNGs: the same on every machine. */
import { fileURLToPath } from 'node:url';

/**
 * The settings of fontconfig for a process that makes PNGs. The environment must name them in `FONTCONFIG_FILE` before the
 * first one is made.
 */
export const fontconfigFile: string = fileURLToPath(new URL('../../../fonts/fonts.conf', import.meta.url));
