// Reads what a controller shows to anyone: when its certificate expires, and what time its clock shows. Sends no
// credentials, and accepts any certificate.

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { TLSSocket } from 'node:tls';

const MAX_PATIENCE_MS = 3_000;

export interface ProbedServer {
  certificateEndsAtMs: number;
  /** By how much the controller's clock is ahead of this machine's clock; undefined if it sends no `Date` header. */
  aheadMs: number | undefined;
  ip: string | undefined;
}

/** Undefined if the controller cannot be reached. The `check` of the driver reports the reason. */
export async function probeServer(
  url: string,
  { clock, patienceMs }: { clock: { nowMs(): number }; patienceMs: number },
): Promise<ProbedServer | undefined> {
  const sent = request(url, {
    method: 'HEAD',
    agent: false,
    rejectUnauthorized: false,
    signal: AbortSignal.timeout(Math.min(patienceMs, MAX_PATIENCE_MS)),
  });
  sent.on('error', () => {});
  sent.end();
  try {
    const [response]: IncomingMessage[] = await once(sent, 'response');
    if (!(response?.socket instanceof TLSSocket)) return undefined;
    const dateMs = Date.parse(response.headers.date ?? '');
    return {
      ip: response.socket.remoteAddress,
      certificateEndsAtMs: Date.parse(response.socket.getPeerCertificate().valid_to),
      aheadMs: Number.isNaN(dateMs) ? undefined : dateMs - clock.nowMs(),
    };
  } catch {
    return undefined;
  } finally {
    sent.destroy();
  }
}
