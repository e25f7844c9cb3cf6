// Connections to one controller: kept alive, limited in number, and only to the server the administrator trusts. A
// pinned certificate is compared on every connection, before the first byte of HTTP is sent.

import type { TLSSocket } from 'node:tls';
import type { Pool } from 'undici';
import type { TlsTrust } from '../../sites/controller-connection.ts';
import { OtherCertificate, UnconfirmedCertificate } from './connect-cause.ts';
import { loadUndici } from './load-undici.ts';

const CONNECT_TIMEOUT_MS = 3_000;
export const CALLS_AT_ONCE = 8;
const UNCONFIRMED = 'the certificate has not been confirmed yet; nothing was sent';

/** No connection was established, so no part of the request was sent. */
export class ConnectFailed extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

export interface TrustedPool {
  /** Returns the same pool on every call. */
  open(): Promise<Pool>;
  close(): Promise<void>;
}

export function makeTrustedPool(url: string, trust: TlsTrust): TrustedPool {
  let opening: Promise<Pool> | undefined;
  return {
    open() {
      opening ??= openPool(url, trust).catch((error) => {
        opening = undefined;
        throw new ConnectFailed(error);
      });
      return opening;
    },
    async close() {
      const pool = await opening?.catch(() => undefined);
      await pool?.close();
    },
  };
}

async function openPool(url: string, trust: TlsTrust): Promise<Pool> {
  const { Pool, buildConnector } = await loadUndici();
  const { createSecureContext } = process.getBuiltinModule('node:tls');
  const connectTls = buildConnector({
    timeout: CONNECT_TIMEOUT_MS,
    rejectUnauthorized: trust.kind === 'ca',
    // Made once for all connections. A pinned certificate is compared, so no certificate authority is needed.
    secureContext: createSecureContext(trust.kind === 'ca' ? {} : { ca: [] }),
    // A resumed TLS session has no certificate to compare.
    maxCachedSessions: 0,
    allowH2: false,
  });

  return new Pool(new URL(url).origin, {
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
    // The stored and shown reason is cut after 300 characters. This text must fit.
    'it shows a different certificate from the confirmed one. Confirm only a renewed one: ' +
      `the connection may be intercepted (SHA-256 now ${found ?? 'none'}, was ${normaliseFingerprint(expected)})`,
  );
}

function isTls(socket: object): socket is TLSSocket {
  return 'getPeerCertificate' in socket;
}

/** Ignores colons, spaces and case. */
export function normaliseFingerprint(text: string): string {
  return text.replace(/[^0-9a-f]/gi, '').toUpperCase();
}
