// GET /sites.php: returns the active sites that the API key may use, sorted by name.

import { jsonResponse } from '../../platform/http/handler.ts';
import { includesSite } from '../keys/api-key.ts';
import type { SiteStore } from '../sites/site.ts';
import type { ApiKeyHandler } from './with-api-key.ts';

export function makeSitesHandler(sites: Pick<SiteStore, 'listActive'>): ApiKeyHandler {
  return {
    GET: {
      scope: 'read',
      async run(_request, apiKey) {
        const shown = (await sites.listActive()).filter(({ id }) => includesSite(apiKey.sites, id));
        const sitesShown = shown.map(({ id, name, controllerSite }) => ({
          id,
          name,
          site_id: controllerSite,
        }));
        const response = jsonResponse(200, { sites: sitesShown });
        return { ...response, reuse: { again: () => response, bytes: response.body.length } };
      },
    },
  };
}
