// One shared session with a classic UniFi controller: detects the flavour, logs in once for all callers, keeps the
// session across restarts, and logs in again only if the controller demands it.

import { hash } from 'node:crypto';
import { type Clock, leftUntil } from '../../../platform/time/clock.ts';
import { fail, ok, type Result } from '../../../platform/values/result.ts';
import { type ControllerFailure, MAX_LISTED } from '../controller.ts';
import { makeArrayItems } from '../upstream/array-items.ts';
import { type CallOptions, MAX_WAITING } from '../upstream/call-limiter.ts';
import { parseJson } from '../upstream/decode.ts';
import { boundPauseS, ListRefused, listTooLong, unreachable } from '../upstream/failures.ts';
import type { Upstream, UpstreamCall, UpstreamResponse, UpstreamResult } from '../upstream/upstream-http.ts';
import { within } from '../upstream/within.ts';
import type { ClassicSession, LastLogin, LoginRefusal } from './classic-session.ts';
import { decodeEnvelope } from './decode.ts';
import { detectFlavour } from './detect-flavour.ts';
import { isHeaderValue, type LoginFailure, loginToController } from './login.ts';
import type { Flavour } from './requests.ts';

/** Stores the last login. A stored session grants access to the controller, so it is sealed. */
interface LoginKeeper {
  load(): Promise<LastLogin | undefined>;
  save(login: LastLogin): Promise<void>;
}

interface Deps {
  upstream: Upstream;
  account: { username: string; password: string };
  keeper: LoginKeeper;
  clock: Clock;
}

const LOGIN_TIMEOUT_MS = 10_000;
const FIRST_PAUSE_MS = 60_000;
const MAX_PAUSE_MS = 15 * 60_000;

const LATE = unreachable('too-slow', 'the login to the controller did not end in time');
const TOO_MANY: ControllerFailure = {
  ...unreachable('busy', 'too many requests are waiting for the login to the controller'),
  retryAfterS: 5,
};

type MakeCall = (flavour: Flavour) => UpstreamCall;

export interface SharedSession {
  call(makeCall: MakeCall, options: CallOptions): Promise<UpstreamResult>;
  /** Passes the elements of `data` to `onChunk` as they arrive; the returned text is the JSON around the elements. */
  list(
    makeCall: MakeCall,
    onChunk: (items: unknown[]) => Promise<void>,
    options: CallOptions,
  ): Promise<UpstreamResult>;
  limiter: Upstream['limiter'];
}

export function makeSession({ upstream, account, keeper, clock }: Deps): SharedSession {
  const passwordHash = hash('sha256', account.password);
  let session: ClassicSession | undefined;
  let opening: Promise<Result<ClassicSession, ControllerFailure>> | undefined;
  let waiting = 0;
  /** When a session was last discarded because of a 403 without a message. */
  let renewedAtMs = Number.NEGATIVE_INFINITY;
  let lastRefusal: LoginRefusal | undefined;
  /** The cookie that the controller no longer accepts. */
  let spent: string | undefined;

  return {
    call: (makeCall, options) => inSession(makeCall, (call) => upstream.send(call, options), options.signal),
    list: (makeCall, onChunk, options) =>
      inSession(makeCall, (call) => streamItems(call, onChunk, options), options.signal),
    limiter: upstream.limiter,
  };

  async function inSession(
    makeCall: MakeCall,
    send: (call: UpstreamCall) => Promise<UpstreamResult>,
    signal: AbortSignal,
  ): Promise<UpstreamResult> {
    const first = await open(signal);
    if (!first.ok) return first;
    const response = await sendWith(first.value, makeCall, send);
    if (!response.ok || !demandsLogin(response.value)) return response;
    if (response.value.status === 403 && !mayRenew()) return response;

    // The controller rejected the call before running it, so the call may be sent again.
    if (session === first.value) session = undefined;
    spent = first.value.cookie;
    const second = await open(signal);
    return second.ok ? sendWith(second.value, makeCall, send) : second;
  }

  async function sendWith(
    used: ClassicSession,
    makeCall: MakeCall,
    send: (call: UpstreamCall) => Promise<UpstreamResult>,
  ): Promise<UpstreamResult> {
    const headers = { cookie: used.cookie, ...(used.csrf && { 'x-csrf-token': used.csrf }) };
    const response = await send({ ...makeCall(used.flavour), headers });
    const renewed =
      response.ok &&
      (response.value.headers['x-updated-csrf-token'] ?? response.value.headers['x-csrf-token']);
    if (isHeaderValue(renewed)) used.csrf = renewed;
    return response;
  }

  async function streamItems(
    call: UpstreamCall,
    onChunk: (items: unknown[]) => Promise<void>,
    options: CallOptions,
  ): Promise<UpstreamResult> {
    const items = makeArrayItems();
    let received = 0;
    try {
      const response = await upstream.stream(call, onText, options);
      return response.ok && response.value.status === 200
        ? ok({ ...response.value, text: items.frame() })
        : response;
    } catch (error) {
      if (error instanceof ListRefused) return fail(error.failure);
      throw error;
    }

    async function onText(text: string): Promise<void> {
      const chunk = items.feed(text);
      received += chunk.length;
      if (received > MAX_LISTED) throw new ListRefused(listTooLong());
      await onChunk(chunk.map(parseJson));
    }
  }

  /** All callers that need a session wait for the same login. */
  async function open(signal: AbortSignal): Promise<Result<ClassicSession, ControllerFailure>> {
    if (session) return ok(session);
    if (waiting >= MAX_WAITING) return fail(TOO_MANY);
    waiting++;
    return within(signal, openShared, fail(LATE)).finally(() => {
      waiting--;
    });
  }

  function openShared(): Promise<Result<ClassicSession, ControllerFailure>> {
    opening ??= openAnew().finally(() => {
      opening = undefined;
    });
    return opening;
  }

  async function openAnew(): Promise<Result<ClassicSession, ControllerFailure>> {
    // An earlier run, another instance or a command may already have logged in, or been refused.
    const kept = await keeper.load();
    const last = kept?.passwordHash === passwordHash ? kept : undefined;
    if (last?.session && last.session.cookie !== spent) {
      session = last.session;
      return ok(session);
    }
    const refusal = lastRefusal ?? last?.refusal;
    if (refusal && holds(refusal)) return fail(withPause(refusal));

    const signal = AbortSignal.timeout(LOGIN_TIMEOUT_MS);
    const flavour = await detectFlavour(upstream, signal);
    if (!flavour.ok) return flavour;
    const opened = await loginToController(upstream, flavour.value, account, signal);
    if (!opened.ok) return fail(await remember(opened.problem, refusal));

    session = opened.value;
    lastRefusal = undefined;
    await keeper.save({ passwordHash, session });
    return opened;
  }

  async function remember(
    failure: LoginFailure,
    earlier: LoginRefusal | undefined,
  ): Promise<ControllerFailure> {
    if (failure.kind !== 'refused' && !failure.limited) return failure;
    const pauseMs = earlier ? Math.min(MAX_PAUSE_MS, earlier.pauseMs * 2) : FIRST_PAUSE_MS;
    const untilMs = clock.nowMs() + pauseMs;
    const until = new Date(untilMs).toISOString();
    const { limited: _, ...plain } = failure;
    const problem = { ...plain, text: `${plain.text}; no further login before ${until}` };
    lastRefusal = { problem, untilMs, pauseMs };
    await keeper.save({ passwordHash, refusal: lastRefusal });
    return withPause(lastRefusal);
  }

  /** A console that refuses logins for a while is asked again only after our own pause. */
  function withPause({ problem, untilMs }: LoginRefusal): ControllerFailure {
    if (problem.cause !== 'asks-for-pause') return problem;
    return { ...problem, retryAfterS: boundPauseS((untilMs - clock.nowMs()) / 1000) };
  }

  function holds({ untilMs, pauseMs }: LoginRefusal): boolean {
    return leftUntil(untilMs, { nowMs: clock.nowMs(), longestMs: pauseMs }) > 0;
  }

  /** Limits new logins after a 403: if a new login does not help, the session is not the reason for the 403. */
  function mayRenew(): boolean {
    const nowMs = clock.nowMs();
    if (Math.abs(nowMs - renewedAtMs) < FIRST_PAUSE_MS) return false;
    renewedAtMs = nowMs;
    return true;
  }
}

/** True for a 401 without a message or with `LoginRequired`, and for a 403 without a message (stale CSRF token). */
function demandsLogin({ status, text }: UpstreamResponse): boolean {
  const message = decodeEnvelope(text)?.message;
  if (status === 401) return message === undefined || message === 'api.err.LoginRequired';
  return status === 403 && message === undefined;
}
