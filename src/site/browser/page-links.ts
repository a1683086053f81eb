/** URLs of the server that the page came from. */
import { Links } from '../../model/links.ts';

const base = new URL('.', import.meta.url).pathname.replace(/\/$/, '');

/** Links of the page. In embed code they use the public URL, or else the one that the reader has used. */
export const pageLinks = new Links(document.body.dataset['publicUrl'] ?? location.origin + base, { base });
