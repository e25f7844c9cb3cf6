// The screens of active sites, for the metrics and for the examination of the installation.

import type { SiteStore } from '../../kernel/sites/site.ts';
import type { Screen, ScreenStore } from './screen.ts';

interface Deps {
  sites: Pick<SiteStore, 'listActive'>;
  screens: Pick<ScreenStore, 'list'>;
}

/** The screens of an inactive site have nothing to show. */
export async function listActiveScreens({ sites, screens }: Deps): Promise<Screen[]> {
  return screens.list((await sites.listActive()).map(({ id }) => id));
}
