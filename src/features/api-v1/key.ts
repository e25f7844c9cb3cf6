// GET /key: what the API key may do.

import type { ApiKeyHandler } from '../../kernel/contract/with-api-key.ts';
import type { ApiKey } from '../../kernel/keys/api-key.ts';
import { jsonResponse } from '../../platform/http/handler.ts';
import { toWholeSeconds } from '../../platform/time/clock.ts';
import { timeOrNull } from './present.ts';
import type { Key } from './responses.ts';

export const keyHandler: ApiKeyHandler = {
  GET: { scope: 'read', run: async (_request, apiKey) => jsonResponse(200, presentKey(apiKey)) },
};

function presentKey({ name, scope, sites, rateLimit, expiresAtMs }: ApiKey): Key {
  return {
    name,
    // A key with an unknown scope is refused before.
    scope: scope === 'write' ? 'write' : 'read',
    sites: sites === 'all' ? 'all' : [...sites],
    rate_limit: rateLimit || null,
    expires_at: timeOrNull(expiresAtMs === null ? null : toWholeSeconds(expiresAtMs)),
  };
}
