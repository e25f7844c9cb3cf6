// POST /revoke.php, an addition to the API contract: revokes the voucher that has this code. Repeating it does no harm.

import type { ApiKey } from '../domain/keys/api-key.ts';
import type { Log } from '../domain/log.ts';
import type { InputProblem } from '../domain/problem.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import type { RevocationInput, RevokeByCode } from '../domain/vouchers/revoke-by-code.ts';
import { type HttpRequest, type HttpResponse, jsonResponse, problemResponse } from './handler.ts';
import { readFields } from './read-fields.ts';
import { parseSiteId } from './read-site-id.ts';
import type { ApiKeyHandler } from './with-api-key.ts';

interface Deps {
  revokeByCode: RevokeByCode;
  log: Log;
}

export function makeRevokeHandler({ revokeByCode, log }: Deps): ApiKeyHandler {
  return { POST: { scope: 'write', run: revoke } };

  async function revoke(request: HttpRequest, { id, name, sites }: ApiKey): Promise<HttpResponse> {
    const body = await readFields(request, log);
    if (!body.ok) return problemResponse(body.problem);
    const input = readRevocationInput(body.value.fields);
    if (!input.ok) return problemResponse(input.problem);
    const problem = await revokeByCode(input.value, {
      actor: { kind: 'key', id, name },
      requestId: request.id,
      ip: request.clientIp(),
      keySites: sites,
    });
    return problem ? problemResponse(problem) : jsonResponse(200, { success: true });
  }
}

/** The code must be text: a number would have lost its leading zeros. */
function readRevocationInput(fields: Record<string, unknown>): Result<RevocationInput, InputProblem> {
  const siteId = parseSiteId(fields.site_id);
  if (siteId === undefined) return fail({ kind: 'site-id-missing' });
  const code = typeof fields.code === 'string' ? fields.code.replaceAll(/[\s-]/g, '') : '';
  return code === '' ? fail({ kind: 'code-missing' }) : ok({ siteId, code });
}
