// Connections to one controller: kept alive, bounded, and only to the server the administrator trusts.
// A pinned certificate is compared before the first byte of HTTP leaves, on every single connection.

import type { TLSSocket } from 'node:tls';
import type { Agent } from 'undici';
import type { TlsTrust } from '../../domain/sites/controller-access.ts';
import { OtherCertificate } from './connect-cause.ts';
import { undici } from './lazy-undici.ts';

const CONNECT_TIMEOUT_MS = 3_000;
export const CALLS_AT_ONCE = 8;

/** The connection was never made: nothing was sent, whatever went wrong. */
export class ConnectFailed extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

export function makeTrustedAgent(trust: TlsTrust): Agent {
  const { Agent, buildConnector } = undici();
  const connectTls = buildConnector({
    timeout: CONNECT_TIMEOUT_MS,
    rejectUnauthorized: trust.kind === 'ca',
    // A resumed session brings no certificate to compare.
    maxCachedSessions: 0,
    allowH2: false,
  });

  return new Agent({
    connections: CALLS_AT_ONCE,
    pipelining: 1,
    // Else one connection alone finds out whether there is HTTP/2, while all other calls wait for it.
    allowH2: false,
    connect(options, callback) {
      connectTls(options, (error, socket) => {
        if (error) return callback(new ConnectFailed(error), null);
        const fault = trust.kind === 'pinned' ? findPinFault(socket, trust.fingerprint256) : undefined;
        if (!fault) return callback(null, socket);
        socket.destroy();
        return callback(new ConnectFailed(fault), null);
      });
    },
  });
}

function findPinFault(socket: object, expected: string): Error | undefined {
  const shown = isTls(socket) ? socket.getPeerCertificate().fingerprint256 : undefined;
  const found = shown && normaliseFingerprint(shown);
  if (found === normaliseFingerprint(expected)) return undefined;
  return new OtherCertificate(
    `the controller shows another certificate than the one that was confirmed (SHA-256 ${found ?? 'none'}): if it was renewed, confirm the new one, otherwise somebody may be in between`,
  );
}

function isTls(socket: object): socket is TLSSocket {
  return 'getPeerCertificate' in socket;
}

/** Colons, blanks and case do not matter. */
export function normaliseFingerprint(text: string): string {
  return text.replace(/[^0-9a-f]/gi, '').toUpperCase();
}
