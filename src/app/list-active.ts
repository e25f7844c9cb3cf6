// The screens and the last syncs of the active sites, for the metrics and for the examination of the installation.

import type { Installation } from '../kernel/installation.ts';

/** The screens of an inactive site have nothing to show. */
export async function listActiveScreens({ sites, screens }: Pick<Installation, 'sites' | 'screens'>) {
  return screens.list((await sites.listActive()).map(({ id }) => id));
}

/** Leaves out inactive sites: a failed last sync of such a site no longer matters. */
export async function listActiveSyncs({ sites, syncs }: Pick<Installation, 'sites' | 'syncs'>) {
  const active = new Set((await sites.listActive()).map(({ id }) => id));
  return new Map([...(await syncs.list())].filter(([id]) => active.has(id)));
}
