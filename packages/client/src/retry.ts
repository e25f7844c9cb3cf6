// Whether a failed request is worth repeating. The service says so in `Gastpass-Retry`. If that header is missing, in
// an answer of Gastpass 0.2 or of a proxy, the status decides.

/**
 * `no`: the same request would fail again.
 * `yes`: the same request may succeed later. No voucher was created.
 * `after-settling`: a voucher may exist. The service finds out; the same request with the same Idempotency-Key then
 * gets that voucher, or a new one if there is none.
 */
export type Retry = 'no' | 'yes' | 'after-settling';

const RETRIES: readonly Retry[] = ['no', 'yes', 'after-settling'];

/** The service settles an outcome within 110 seconds: after 20, then 60 more, and one turn of 30. */
const PATIENCE_MS = { yes: 60_000, 'after-settling': 120_000 };

/** A 500 of Gastpass 0.2 may be a refusal. If a voucher may exist, the second attempt gets a 409. */
const ATTEMPTS_IF_UNTOLD = 3;

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 10_000;

export interface Failure {
  /** The header `Gastpass-Retry`, if the answer has one. */
  told: string | null;
  /** Undefined means that no answer came. */
  status?: number;
  /** The request creates a voucher. */
  creates: boolean;
  /** A voucher may exist because of an earlier attempt. */
  mayExist: boolean;
}

/** Undefined means that nobody can tell: the request was refused, or a voucher may exist. */
export function decideRetry({ told, status, creates, mayExist }: Failure): Retry | undefined {
  const retry = RETRIES.find((one) => one === told) ?? byStatus(status, creates);
  return retry === 'yes' && mayExist ? 'after-settling' : retry;
}

function byStatus(status: number | undefined, creates: boolean): Retry | undefined {
  switch (status) {
    case 408:
    case 429:
    case 503:
      return 'yes';
    case 409:
      return 'after-settling';
    case 500:
      return undefined;
    case 502:
    case 504:
    case undefined:
      return creates ? 'after-settling' : 'yes';
    default:
      return 'no';
  }
}

/** How long to wait before the next attempt, counted from 1; undefined means that there is none. */
export function pauseBefore(
  attempt: number,
  failure: { retry: Retry | undefined; retryAfterS: number | undefined },
  patience: { elapsedMs: number; patienceMs: number | undefined },
): number | undefined {
  const { retry, retryAfterS = 0 } = failure;
  if (retry === 'no' || (retry === undefined && attempt > ATTEMPTS_IF_UNTOLD)) return undefined;
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 2), MAX_PAUSE_MS);
  const waitMs = Math.max(pauseMs, retryAfterS * 1000);
  const { elapsedMs, patienceMs = PATIENCE_MS[retry ?? 'yes'] } = patience;
  return elapsedMs + waitMs > patienceMs ? undefined : waitMs;
}

/** Rejects with the reason of the signal when it is aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', stop, { once: true });
  });
}
