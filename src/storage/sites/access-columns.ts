// The columns for access to a controller: URL, credentials and TLS trust. Credentials are sealed before they are
// written.

import * as v from 'valibot';
import { type ControllerAccess, CREDENTIALS, type TlsTrust } from '../../domain/sites/controller-access.ts';
import type { Seal } from '../seal.ts';

interface AccessColumns {
  controller_url: string | null;
  sealed_credentials: string | null;
  tls_trust: string;
}

const PINNED = 'pinned:';

export function toAccessColumns(access: ControllerAccess | null, seal: Seal): AccessColumns {
  if (!access) return { controller_url: null, sealed_credentials: null, tls_trust: 'ca' };
  const { url, credentials, trust } = access;
  return {
    controller_url: url,
    sealed_credentials: seal.seal(JSON.stringify(credentials)),
    tls_trust: trust.kind === 'pinned' ? PINNED + trust.fingerprint256 : trust.kind,
  };
}

export function toAccess(row: AccessColumns, seal: Seal): ControllerAccess | null {
  if (row.controller_url === null || row.sealed_credentials === null) return null;
  const credentials = v.parse(CREDENTIALS, JSON.parse(seal.open(row.sealed_credentials)));
  return { url: row.controller_url, credentials, trust: toTrust(row.tls_trust) };
}

function toTrust(text: string): TlsTrust {
  if (text.startsWith(PINNED)) return { kind: 'pinned', fingerprint256: text.slice(PINNED.length) };
  return text === 'insecure' ? { kind: 'insecure' } : { kind: 'ca' };
}
