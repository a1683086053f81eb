/** The addresses of the server that the page came from. */
import { Links } from '../../model/links.ts';

const base = new URL('.', import.meta.url).pathname.replace(/\/$/, '');

/** The links of the page. In code for other sites they name the public address, or else the one that the reader has used. */
export const pageLinks = new Links(document.body.dataset['publicUrl'] ?? location.origin + base, { base });
