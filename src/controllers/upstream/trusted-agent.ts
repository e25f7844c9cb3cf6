// Connections to one controller: kept alive, limited in number, and only to the server the administrator trusts. A
// pinned certificate is compared on every connection, before the first byte of HTTP is sent.

import type { TLSSocket } from 'node:tls';
import type { Agent } from 'undici';
import type { TlsTrust } from '../../domain/sites/controller-connection.ts';
import { OtherCertificate, UnconfirmedCertificate } from './connect-cause.ts';
import { undici } from './lazy-undici.ts';

const CONNECT_TIMEOUT_MS = 3_000;
export const CALLS_AT_ONCE = 8;
const UNCONFIRMED = 'the certificate has not been confirmed yet; nothing was sent';

/** No connection was established, so no part of the request was sent. */
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
    // A resumed TLS session has no certificate to compare.
    maxCachedSessions: 0,
    allowH2: false,
  });

  return new Agent({
    connections: CALLS_AT_ONCE,
    pipelining: 1,
    // With HTTP/2 allowed, all other calls wait until the first connection has negotiated the protocol.
    allowH2: false,
    connect(options, callback) {
      if (trust.kind === 'unconfirmed')
        return callback(new ConnectFailed(new UnconfirmedCertificate(UNCONFIRMED)), null);
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
    `the controller shows another certificate than the one that was confirmed (SHA-256 now ${found ?? 'none'}, confirmed ${normaliseFingerprint(expected)}): if it was renewed, confirm the new one, otherwise somebody may be in between`,
  );
}

function isTls(socket: object): socket is TLSSocket {
  return 'getPeerCertificate' in socket;
}

/** Ignores colons, spaces and case. */
export function normaliseFingerprint(text: string): string {
  return text.replace(/[^0-9a-f]/gi, '').toUpperCase();
}
