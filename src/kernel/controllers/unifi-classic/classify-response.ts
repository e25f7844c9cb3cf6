// Classifies the unsuccessful responses of a classic UniFi controller.

import type { ControllerFailure } from '../controller.ts';
import { failureOfStatus, refused, UNEXPECTED } from '../upstream/failures.ts';
import type { UpstreamResponse } from '../upstream/upstream-http.ts';
import { decodeConsoleText, decodeEnvelope } from './decode.ts';

/** Undefined for a successful response. */
export function classifyResponse(
  { status, text, headers }: UpstreamResponse,
  site: string,
  what: 'write' | 'read',
): ControllerFailure | undefined {
  const envelope = decodeEnvelope(text);
  const isGood = status >= 200 && status < 300;
  if (isGood && envelope?.ok) return undefined;
  if (isGood && envelope?.ok === undefined) return { ...UNEXPECTED, withoutVoucher: true };

  const said = envelope?.message ?? decodeConsoleText(text);
  const detail = said ? `: ${said}` : '';
  if (said === 'api.err.NoSiteContext')
    return refused('no-such-site', `the controller has no site "${site}" for this account`);
  if (said === 'api.err.NoPermission' || status === 403)
    return refused('role', `the account may not do this (${status})${detail}`);
  if (status === 401) return refused('login', `the controller does not accept the session (401)${detail}`);
  return failureOfStatus(status, { detail, isWrite: what === 'write', retryAfter: headers['retry-after'] });
}
