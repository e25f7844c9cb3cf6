// GET /sites.php: the active sites, by name.

import type { SiteStore } from '../domain/sites/site.ts';
import type { KeyedScript } from './check-key.ts';
import { answerJson } from './exchange.ts';

export function makeSitesScript(sites: Pick<SiteStore, 'listActive'>): KeyedScript {
  return {
    GET: {
      scope: 'read',
      async run() {
        const active = await sites.listActive();
        return answerJson(200, {
          sites: active.map(({ id, name, controllerSite }) => ({ id, name, site_id: controllerSite })),
        });
      },
    },
  };
}
