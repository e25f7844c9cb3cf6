// Classifies the unsuccessful responses of a classic UniFi controller.

import type { ControllerFailure } from '../../domain/controller.ts';
import { decodeConsoleText, decodeEnvelope } from './decode.ts';

/** Undefined for a successful response. */
export function sortAnswer(
  { status, text }: { status: number; text: string },
  site: string,
  what: 'write' | 'read',
): ControllerFailure | undefined {
  const envelope = decodeEnvelope(text);
  const isGood = status >= 200 && status < 300;
  if (isGood && envelope?.ok) return undefined;
  // The response is not in the controller's format, but the request may have been carried out.
  if (isGood && envelope?.ok === undefined)
    return {
      kind: 'outcome-unknown',
      cause: 'not-controller',
      withoutVoucher: true,
      text: 'the controller returned an unexpected response',
    };

  const said = envelope?.message ?? decodeConsoleText(text);
  const detail = said ? `: ${said}` : '';
  if (said === 'api.err.NoSiteContext')
    return {
      kind: 'refused',
      cause: 'no-such-site',
      text: `the controller has no site "${site}" for this account`,
    };
  if (said === 'api.err.NoPermission' || status === 403)
    return { kind: 'refused', cause: 'role', text: `the account may not do this (${status})${detail}` };
  if (status === 401)
    return {
      kind: 'refused',
      cause: 'login',
      text: `the controller does not accept the session (401)${detail}`,
    };
  if (status === 429)
    return {
      kind: 'unreachable',
      cause: 'asks-for-pause',
      text: `the controller asks for a pause (429)${detail}`,
    };
  if (status >= 300 && status < 400)
    return {
      kind: what === 'write' ? 'outcome-unknown' : 'refused',
      cause: 'not-controller',
      text: `the controller redirects elsewhere (${status})`,
    };
  if (status >= 500)
    return {
      kind: what === 'write' ? 'outcome-unknown' : 'unreachable',
      cause: 'failed',
      text: `the controller failed (${status})${detail}`,
    };
  return { kind: 'refused', cause: 'refused', text: `the controller refused (${status})${detail}` };
}
