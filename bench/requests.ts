// The requests that are measured.

import type { Request } from './load.ts';

export const bearer = (keyText: string) => ({ authorization: `Bearer ${keyText}` });

export const list = (keyText: string, siteId = 1): Request => ({
  path: `/api/vouchers.php?site_id=${siteId}`,
  headers: bearer(keyText),
});

export const creation = (keyText: string, siteId = 1, name = 'Zimmer 12'): Request => ({
  path: '/api/vouchers.php',
  headers: bearer(keyText),
  body: JSON.stringify({ site_id: siteId, name }),
});

/** A mistyped key. */
export function makeWrong(keyText: string): string {
  return `${keyText.slice(0, -1)}${keyText.endsWith('x') ? 'y' : 'x'}`;
}
