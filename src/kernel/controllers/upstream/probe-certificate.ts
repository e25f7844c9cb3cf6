// First contact with a controller: reads its certificate so that an administrator can confirm it. Sends no credentials
// and no HTTP.

import { isIP } from 'node:net';
import { fail, ok, type Result } from '../../../platform/values/result.ts';
import type { ControllerFailure } from '../controller.ts';
import { connectCause } from './connect-cause.ts';
import { unreachable } from './failures.ts';
import { normaliseFingerprint } from './trusted-pool.ts';

const PATIENCE_MS = 3_000;

interface FirstContact {
  /** SHA-256 of the certificate, upper-case hex. */
  fingerprint256: string;
  /** Whether the certificate passes normal verification against the authorities this machine trusts. */
  vouchedFor: boolean;
}

export function probeCertificate(url: string): Promise<Result<FirstContact, ControllerFailure>> {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const servername = isIP(host) ? {} : { servername: host };
    const { connect } = process.getBuiltinModule('node:tls');
    const socket = connect({ host, port: Number(port || 443), rejectUnauthorized: false, ...servername });
    const finish = (result: Result<FirstContact, ControllerFailure>) => {
      socket.destroy();
      resolve(result);
    };
    const late = unreachable('nobody-answers', `${host} does not answer within ${PATIENCE_MS / 1000} s`);
    socket.setTimeout(PATIENCE_MS, () => finish(fail(late)));
    socket.once('error', (error) => finish(fail(unreachable(connectCause(error), error.message))));
    socket.once('secureConnect', () => {
      const { fingerprint256 } = socket.getPeerCertificate();
      finish(ok({ fingerprint256: normaliseFingerprint(fingerprint256), vouchedFor: socket.authorized }));
    });
  });
}
