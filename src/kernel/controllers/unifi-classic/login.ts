// Logs in to a classic UniFi controller. session.ts shares the session with all callers.

import { fail, ok, type Result } from '../../../platform/values/result.ts';
import type { ControllerFailure } from '../controller.ts';
import { asRepeatable, refused, unreachable } from '../upstream/failures.ts';
import type { Upstream, UpstreamResponse } from '../upstream/upstream-http.ts';
import type { ClassicSession } from './classic-session.ts';
import { csrfOfToken, decodeConsoleText, decodeEnvelope } from './decode.ts';
import { type Flavour, loginCall } from './requests.ts';

/** `limited`: the controller refuses the login because of too many recent logins. */
export type LoginFailure = ControllerFailure & { limited?: boolean };

export async function loginToController(
  upstream: Upstream,
  flavour: Flavour,
  account: { username: string; password: string },
  signal: AbortSignal,
): Promise<Result<ClassicSession, LoginFailure>> {
  if (account.username.includes('@'))
    return fail(
      refused(
        'second-factor',
        'cloud accounts need a second factor: make a local administrator on the controller and use that',
      ),
    );
  const response = await upstream.send(loginCall(flavour, account), { signal, priority: 'finish' });
  if (!response.ok) return fail(asRepeatable(response.problem));
  const cookie = readCookies(response.value);
  const refusal = findRefusal(response.value, cookie);
  return refusal ? fail(refusal) : ok({ flavour, cookie, csrf: readCsrf(response.value, cookie) });
}

function findRefusal(response: UpstreamResponse, cookie: string): LoginFailure | undefined {
  const { status, text } = response;
  const message = decodeEnvelope(text)?.message ?? decodeConsoleText(text);
  if (status === 429)
    return {
      ...unreachable('asks-for-pause', 'the controller has had too many logins (429)'),
      limited: true,
    };
  if (status === 499 || message === 'api.err.Ubic2faTokenRequired')
    return refused(
      'second-factor',
      'this account needs a second factor: make a local administrator without one and use that',
    );
  if (status >= 500) return unreachable('failed', `the controller failed at the login (${status})`);
  if (status >= 300 && status < 400)
    return refused('not-controller', `the controller redirects the login elsewhere (${status})`);
  if (status >= 400)
    return refused('login', `the controller refuses the login (${status}): user or password is wrong`);
  if (cookie === '')
    return unreachable('not-controller', 'the controller answered the login without a session');
  return undefined;
}

function readCookies({ headers }: UpstreamResponse): string {
  const lines = [headers['set-cookie'] ?? []].flat();
  const cookie = lines.map((line) => line.split(';')[0]?.trim() ?? '').join('; ');
  return isHeaderValue(cookie) ? cookie : '';
}

const MAX_HEADER_LENGTH = 8_192;

/** A value that cannot be sent as a header would break every later call of the session. */
export function isHeaderValue(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_HEADER_LENGTH && /^[\x20-\x7e]*$/.test(value);
}

function readCsrf({ headers }: UpstreamResponse, cookie: string): string | undefined {
  const told = headers['x-updated-csrf-token'] ?? headers['x-csrf-token'];
  if (isHeaderValue(told)) return told;
  const token = /(?:^|; )(?:UOS_)?TOKEN=([^;]+)/.exec(cookie)?.[1];
  const csrf = token && csrfOfToken(token);
  return isHeaderValue(csrf) ? csrf : undefined;
}
