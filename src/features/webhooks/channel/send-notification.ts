// Makes one delivery attempt: a POST on its own connection to a checked address, with a time-out and without following
// redirects. Returns the outcome. If the target answers with an error, the outcome contains the beginning of the body.

import type { IncomingMessage } from 'node:http';
import type { Attempt, AttemptOutcome } from '../../../kernel/messages/message.ts';
import { joinSignals } from '../../../platform/concurrency/join-signals.ts';
import { findLiteralIssue, makeGuardedLookup } from '../../../platform/network/targets/guarded-lookup.ts';
import type { TargetRule } from '../../../platform/network/targets/ip-rules.ts';
import type { LookUp } from '../../../platform/network/targets/shared-dns-lookup.ts';
import { MASK, maskEnd, maskSecrets } from '../../../platform/secrets/mask-secrets.ts';
import { toOneLine } from '../../../platform/text/one-line.ts';
import { toStorable } from '../../../platform/text/storable-text.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { SendNotification } from '../delivery.ts';
import type { Notification } from '../notification.ts';
import type { Webhook } from '../webhook.ts';
import { toChatMessage } from './platforms.ts';
import { signatureHeaders, toGenericMessage } from './signed-message.ts';

const MAX_RESPONSE_LENGTH = 500;
const MIN_MASKED_LENGTH = 6;
/** At most one request per second to a chat. */
const CHAT_PAUSE_MS = 1_000;

interface Deps {
  rule: TargetRule;
  clock: Clock;
  timeoutMs: number;
  lookUp?: LookUp;
  /** Scales the pause between two requests to a chat; 1 is real time. */
  pace?: number;
}

type Response = Omit<Attempt, 'durationMs'> & { retryAfterMs: number | null };

export function makeSendNotification({ rule, clock, timeoutMs, lookUp, pace = 1 }: Deps): SendNotification {
  const lookup = makeGuardedLookup(rule, lookUp);

  return async function sendNotification(webhook, notification, signal) {
    const startedAt = performance.now();
    const over = new AbortController();
    const timer = setTimeout(() => over.abort(), timeoutMs);
    using both = joinSignals(signal, over.signal);
    const response = await exchange(webhook, notification, both.signal).catch((error) =>
      failed(over.signal.aborted ? `no answer within ${timeoutMs / 1000} s` : toErrorText(error, webhook)),
    );
    clearTimeout(timer);
    const pauseMs = webhook.format === 'chat' ? Math.round(CHAT_PAUSE_MS * pace) : 0;
    return toOutcome({ ...response, durationMs: performance.now() - startedAt }, pauseMs);
  };

  async function exchange(
    webhook: Webhook,
    notification: Notification,
    signal: AbortSignal,
  ): Promise<Response> {
    const url = new URL(webhook.url);
    const issue = findLiteralIssue(url.hostname, rule);
    if (issue) return failed(issue);

    const { contentType, body } =
      webhook.format === 'chat'
        ? toChatMessage(notification, webhook.platform)
        : toGenericMessage(notification);
    const signature =
      webhook.secrets &&
      signatureHeaders({ eventId: notification.eventId, body }, webhook.secrets, clock.nowMs());
    const headers = { 'user-agent': 'gastpass', 'content-type': contentType, ...signature };
    const response = await post(url, { headers, body, signal });

    const status = response.statusCode ?? 0;
    if (isSuccess(status)) {
      response.destroy();
      return { status, error: null, response: null, retryAfterMs: null };
    }
    const isRedirect = status >= 300 && status < 400;
    return {
      status,
      error: isRedirect ? `answered ${status}: redirects are not followed` : `answered ${status}`,
      response: toBeginning(withoutSecrets(await readBeginning(response), webhook)),
      retryAfterMs: readRetryAfter(response.headers['retry-after'], clock.nowMs()),
    };
  }

  function post(
    url: URL,
    { headers, body, signal }: { headers: Record<string, string>; body: string; signal: AbortSignal },
  ): Promise<IncomingMessage> {
    // Loads TLS only with the first notification that needs it.
    const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http');
    return new Promise((resolve, reject) => {
      const sent = request(url, { method: 'POST', headers, lookup, agent: false, signal }, resolve);
      sent.on('error', reject);
      // After a 101 response, Node emits only `close`: neither an error nor the signal would end the attempt.
      sent.on('close', () => reject(new Error('closed without an answer')));
      sent.end(body);
    });
  }
}

/** After a success, the webhook is called again after `pauseMs` at the earliest. */
function toOutcome({ retryAfterMs, ...made }: Response & Attempt, pauseMs: number): AttemptOutcome {
  if (isSuccess(made.status)) return { ...made, result: 'done', pauseMs };
  if (made.status === 410)
    return { ...made, result: 'never', offBecause: 'the target said that it is gone for good (410)' };
  return { ...made, result: 'later', pauses: 'recipient', retryAfterMs };
}

function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

function failed(error: string): Response {
  return { status: null, error, response: null, retryAfterMs: null };
}

function toBeginning(text: string): string {
  return [...toStorable(text)].slice(0, MAX_RESPONSE_LENGTH).join('');
}

/** Returns the beginning of the body: up to the length limit, the end of the response or a broken connection. */
async function readBeginning(response: IncomingMessage): Promise<string> {
  let text = '';
  response.setEncoding('utf8');
  try {
    for await (const chunk of response) {
      text += chunk;
      if (text.length > MAX_RESPONSE_LENGTH) break;
    }
  } catch {
    // The status is enough if the body cannot be read.
  }
  return toBeginning(text);
}

/** Masks secrets that a target may echo: secret parts of the webhook URL and the signing secrets. */
function withoutSecrets(text: string, webhook: Webhook): string {
  let masked = maskSecrets(text);
  for (const part of secretParts(webhook)) {
    // The text may end in the middle of a secret, so a prefix of the secret at the end is masked too.
    masked = maskEnd(masked.replaceAll(part, MASK), part, MIN_MASKED_LENGTH);
  }
  return masked;
}

/** Returns the longest parts first, so that a part that contains another one is masked as a whole. */
function secretParts({ url, secrets }: Webhook): string[] {
  if (!URL.canParse(url)) return [url];
  const { pathname, search, username, password } = new URL(url);
  const keys = [secrets?.current, secrets?.previous?.secret].map((key) => key?.replace(/^whsec_/, '') ?? '');
  const written = [...pathname.split('/'), ...search.split(/[?&=]/), username, password];
  return [...written, ...written.map(decoded), ...keys]
    .filter((part) => part.length >= MIN_MASKED_LENGTH)
    .sort((a, b) => b.length - a.length);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function toErrorText(error: unknown, webhook: Webhook): string {
  const { message, code } =
    error instanceof Error ? { code: undefined, ...error, message: error.message } : {};
  return toOneLine(withoutSecrets(message || String(code ?? error), webhook));
}

/** Returns milliseconds. The header contains seconds or a date. */
function readRetryAfter(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}
