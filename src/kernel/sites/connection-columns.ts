// The columns for access to a controller: URL, credentials and TLS trust. Credentials are sealed before they are
// written.

import * as v from 'valibot';
import type { Handle } from '../../platform/database/database.ts';
import { readJson } from '../../platform/database/read-json.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import type { SealedPlace } from '../../platform/secrets/sealed-columns.ts';
import { readKnown, UNKNOWN } from '../../platform/values/unknown-value.ts';
import { type ControllerKind, findKind, hasFieldsOf } from '../controllers/controller-kind.ts';
import type { SiteId } from '../ids.ts';
import { type ControllerConnection, CREDENTIALS, type TlsTrust } from './controller-connection.ts';
import type { Site } from './site.ts';

interface ConnectionColumns {
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

export async function toConnectionColumns(
  transaction: Handle,
  seal: Seal,
  { id, connection }: { id: SiteId; connection: ControllerConnection | null },
): Promise<ConnectionColumns> {
  if (!connection) return { controller_url: null, sealed_credentials: null, tls_trust: 'ca' };
  const { url, credentials, trust } = connection;
  return {
    controller_url: url,
    sealed_credentials: await seal.seal(transaction, JSON.stringify(credentials), placeOf(id)),
    tls_trust: trust.kind === 'pinned' ? PINNED + trust.fingerprint256 : trust.kind,
  };
}

/** If this release cannot read a part of the row, the kind is unknown, so that no driver uses the other parts. */
export function toController(
  row: ConnectionColumns & { id: number; controller_kind: string },
  seal: Seal,
): Pick<Site, 'controllerKind' | 'connection' | 'unreadUrl'> {
  const { controller_url: url, sealed_credentials: sealed } = row;
  const controllerKind = row.controller_kind;
  const trust = toTrust(row.tls_trust);
  if (!trust) return unread(url);
  if (url === null || sealed === null) return { controllerKind, connection: null };
  const credentials = v.safeParse(CREDENTIALS, readJson(seal.open(sealed, placeOf(row.id))));
  if (!credentials.success) return unread(url);
  return { controllerKind, connection: { url, credentials: credentials.output, trust } };
}

/** Makes the kind unknown if this release does not know the kind or the fields of its credentials. */
export function hideUnknownKind(site: Site, kinds: readonly ControllerKind[]): Site {
  const kind = findKind(kinds, site.controllerKind);
  if (kind && (!site.connection || hasFieldsOf(kind, site.connection.credentials))) return site;
  return { ...site, ...unread(site.connection?.url ?? site.unreadUrl ?? null) };
}

function unread(url: string | null) {
  return { controllerKind: UNKNOWN, connection: null, ...(url !== null && { unreadUrl: url }) } as const;
}

function toTrust(text: string): TlsTrust | undefined {
  if (text.startsWith(PINNED)) return { kind: 'pinned', fingerprint256: text.slice(PINNED.length) };
  const kind = readKnown(['ca', 'insecure', 'unconfirmed'], text);
  return kind === UNKNOWN ? undefined : { kind };
}
