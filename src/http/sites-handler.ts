// GET /sites.php: returns the active sites, sorted by name.

import type { SiteStore } from '../domain/sites/site.ts';
import { jsonResponse } from './handler.ts';
import type { ApiKeyHandler } from './with-api-key.ts';

export function makeSitesHandler(sites: Pick<SiteStore, 'listActive'>): ApiKeyHandler {
  return {
    GET: {
      scope: 'read',
      async run() {
        const active = await sites.listActive();
        return jsonResponse(200, {
          sites: active.map(({ id, name, controllerSite }) => ({ id, name, site_id: controllerSite })),
        });
      },
    },
  };
}
