// The columns for access to a controller: URL, credentials and TLS trust. Credentials are sealed before they are
// written.

import * as v from 'valibot';
import type { SiteId } from '../../domain/ids.ts';
import { type ControllerAccess, CREDENTIALS, type TlsTrust } from '../../domain/sites/controller-access.ts';
import type { Handle } from '../database.ts';
import type { Seal } from '../seal.ts';
import type { SealedPlace } from '../sealed-columns.ts';

interface AccessColumns {
  controller_url: string | null;
  sealed_credentials: string | null;
  tls_trust: string;
}

const PINNED = 'pinned:';

const placeOf = (id: SiteId | number): SealedPlace => ({
  table: 'sites',
  column: 'sealed_credentials',
  row: id,
});

export async function toAccessColumns(
  transaction: Handle,
  seal: Seal,
  { id, access }: { id: SiteId; access: ControllerAccess | null },
): Promise<AccessColumns> {
  if (!access) return { controller_url: null, sealed_credentials: null, tls_trust: 'ca' };
  const { url, credentials, trust } = access;
  return {
    controller_url: url,
    sealed_credentials: await seal.seal(transaction, JSON.stringify(credentials), placeOf(id)),
    tls_trust: trust.kind === 'pinned' ? PINNED + trust.fingerprint256 : trust.kind,
  };
}

export function toAccess(row: AccessColumns & { id: number }, seal: Seal): ControllerAccess | null {
  if (row.controller_url === null || row.sealed_credentials === null) return null;
  const credentials = v.parse(CREDENTIALS, JSON.parse(seal.open(row.sealed_credentials, placeOf(row.id))));
  return { url: row.controller_url, credentials, trust: toTrust(row.tls_trust) };
}

function toTrust(text: string): TlsTrust {
  if (text.startsWith(PINNED)) return { kind: 'pinned', fingerprint256: text.slice(PINNED.length) };
  return text === 'insecure' || text === 'unconfirmed' ? { kind: text } : { kind: 'ca' };
}
