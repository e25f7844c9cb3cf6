// One shared session with a classic UniFi controller: finds out its flavour, logs in once for everybody,
// keeps the session over restarts, and logs in again only when the controller demands it.

import type { Clock } from '../../domain/clock.ts';
import type { ControllerFailure } from '../../domain/controller.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import { makeArrayItems } from '../upstream/array-items.ts';
import { parseJson } from '../upstream/decode.ts';
import type { Upstream, UpstreamAnswer, UpstreamCall } from '../upstream/upstream-http.ts';
import type { ClassicSession } from './classic-session.ts';
import { decodeEnvelope } from './decode.ts';
import { logIn, probeFlavour } from './log-in.ts';
import type { Flavour } from './requests.ts';

/** Keeps a session over restarts; what it keeps opens doors and is sealed. */
export interface SessionKeeper {
  load(): Promise<ClassicSession | undefined>;
  save(session: ClassicSession): Promise<void>;
}

interface Needs {
  upstream: Upstream;
  account: { username: string; password: string };
  keeper: SessionKeeper;
  clock: Clock;
}

const LOGIN_TIMEOUT_MS = 10_000;
const PAUSE_AFTER_LOGIN_FAILURE_MS = 60_000;
const LONGEST_PAUSE_MS = 15 * 60_000;

type MakeCall = (flavour: Flavour) => UpstreamCall;
type Answered = Result<UpstreamAnswer, ControllerFailure>;

export interface Session {
  call(makeCall: MakeCall, signal: AbortSignal): Promise<Answered>;
  /** Visits the elements of an answer's `data` as they arrive; the answer's text is what stood around them. */
  list(
    makeCall: MakeCall,
    visit: (items: unknown[]) => Promise<void>,
    signal: AbortSignal,
  ): Promise<Answered>;
}

export function makeSession({ upstream, account, keeper, clock }: Needs): Session {
  let session: ClassicSession | undefined;
  let opening: Promise<Result<ClassicSession, ControllerFailure>> | undefined;
  let loadedFromKeeper = false;
  let lastFailure: { problem: ControllerFailure; untilMs: number; pauseMs: number } | undefined;

  return {
    call: (makeCall, signal) => inSession(makeCall, (call) => upstream.send(call, signal), signal),
    list: (makeCall, visit, signal) =>
      inSession(makeCall, (call) => streamItems(call, visit, signal), signal),
  };

  async function inSession(
    makeCall: MakeCall,
    send: (call: UpstreamCall) => Promise<Answered>,
    signal: AbortSignal,
  ): Promise<Answered> {
    const first = await openWithin(signal);
    if (!first.ok) return first;
    const answer = await sendWith(first.value, makeCall, send);
    if (!answer.ok || !demandsLogin(answer.value)) return answer;

    // The controller turned the call away at the door: it did not run, so it may be sent again.
    if (session === first.value) session = undefined;
    const second = await openWithin(signal);
    return second.ok ? sendWith(second.value, makeCall, send) : second;
  }

  async function sendWith(
    used: ClassicSession,
    makeCall: MakeCall,
    send: (call: UpstreamCall) => Promise<Answered>,
  ): Promise<Answered> {
    const headers = { cookie: used.cookie, ...(used.csrf && { 'x-csrf-token': used.csrf }) };
    const answer = await send({ ...makeCall(used.flavour), headers });
    const renewed =
      answer.ok && (answer.value.headers['x-updated-csrf-token'] ?? answer.value.headers['x-csrf-token']);
    if (typeof renewed === 'string') used.csrf = renewed;
    return answer;
  }

  async function streamItems(
    call: UpstreamCall,
    visit: (items: unknown[]) => Promise<void>,
    signal: AbortSignal,
  ): Promise<Answered> {
    const items = makeArrayItems();
    const answer = await upstream.stream(call, (text) => visit(items.feed(text).map(parseJson)), signal);
    return answer.ok && answer.value.status === 200 ? ok({ ...answer.value, text: items.frame() }) : answer;
  }

  /** Whose time is over goes; the login itself goes on for the others. */
  function openWithin(signal: AbortSignal): Promise<Result<ClassicSession, ControllerFailure>> {
    const late = fail({
      kind: 'unreachable' as const,
      text: 'the login to the controller did not end in time',
    });
    if (session) return Promise.resolve(ok(session));
    if (signal.aborted) return Promise.resolve(late);
    return new Promise((resolve, reject) => {
      const leave = () => resolve(late);
      signal.addEventListener('abort', leave, { once: true });
      open()
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', leave));
    });
  }

  /** Everybody who needs a session waits for the same login. */
  async function open(): Promise<Result<ClassicSession, ControllerFailure>> {
    if (session) return ok(session);
    opening ??= openAnew().finally(() => {
      opening = undefined;
    });
    return opening;
  }

  async function openAnew(): Promise<Result<ClassicSession, ControllerFailure>> {
    if (!loadedFromKeeper) {
      loadedFromKeeper = true;
      session = await keeper.load();
      if (session) return ok(session);
    }
    if (lastFailure && clock.nowMs() < lastFailure.untilMs) return fail(lastFailure.problem);

    const signal = AbortSignal.timeout(LOGIN_TIMEOUT_MS);
    const flavour = await probeFlavour(upstream, signal);
    if (!flavour.ok) return flavour;
    const opened = await logIn(upstream, flavour.value, account, signal);
    if (!opened.ok) return fail(remember(opened.problem));

    lastFailure = undefined;
    session = opened.value;
    await keeper.save(session);
    return opened;
  }

  /** Consoles count logins and lock out who asks too often: a refusal holds for a while. */
  function remember(problem: ControllerFailure & { limited?: boolean }): ControllerFailure {
    if (problem.kind !== 'refused' && !problem.limited) return problem;
    const pauseMs = Math.min(
      LONGEST_PAUSE_MS,
      (lastFailure?.pauseMs ?? PAUSE_AFTER_LOGIN_FAILURE_MS / 2) * 2,
    );
    const untilMs = clock.nowMs() + pauseMs;
    const until = new Date(untilMs).toISOString();
    const told = { kind: problem.kind, text: `${problem.text}; no further login before ${until}` };
    lastFailure = { problem: told, untilMs, pauseMs };
    return told;
  }
}

/** 401 without further word, or with the word that the session is over; 403 for a CSRF token gone stale. */
function demandsLogin({ status, text }: UpstreamAnswer): boolean {
  const message = decodeEnvelope(text)?.message;
  if (status === 401) return message === undefined || message === 'api.err.LoginRequired';
  return status === 403 && message === undefined;
}
