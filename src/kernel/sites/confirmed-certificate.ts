// Finds out whether a change of a site confirms another certificate of its controller. The audit log records such a
// confirmation as an action of its own, with both fingerprints.

import type { ControllerConnection } from './controller-connection.ts';
import type { Site, SiteChange } from './site.ts';

export interface ConfirmedCertificate {
  /** Null if no certificate was confirmed before, for example because an authority had issued it. */
  certificateBefore: string | null;
  certificateNow: string;
}

/** Undefined if the change confirms no certificate, or the same one again. */
export function findConfirmedCertificate(
  before: Site | undefined,
  { connection }: SiteChange,
): ConfirmedCertificate | undefined {
  const certificateBefore = fingerprintOf(before?.connection);
  const certificateNow = fingerprintOf(connection);
  if (certificateNow === null || certificateNow === certificateBefore) return undefined;
  return { certificateBefore, certificateNow };
}

/** The part of a change that is left if its certificate and its unchanged values are taken away. */
export function withoutCertificate(before: Site, { connection, ...change }: SiteChange): SiteChange {
  const isSameConnection =
    connection?.url === before.connection?.url &&
    JSON.stringify(connection?.credentials) === JSON.stringify(before.connection?.credentials);
  const { name, active, controllerSite, importsForeign, hasGuestPage, replyTo } = change;
  return {
    ...(name !== undefined && name !== before.name && { name }),
    ...(active !== undefined && active !== before.active && { active }),
    ...(controllerSite !== undefined && controllerSite !== before.controllerSite && { controllerSite }),
    ...(importsForeign !== undefined && importsForeign !== before.importsForeign && { importsForeign }),
    ...(hasGuestPage !== undefined && hasGuestPage !== before.hasGuestPage && { hasGuestPage }),
    ...(replyTo !== undefined && replyTo !== before.replyTo && { replyTo }),
    ...(connection !== undefined && !isSameConnection && { connection }),
  };
}

/** The fingerprint as people compare it: in capital letters, with a colon after each byte. */
function fingerprintOf(connection: ControllerConnection | null | undefined): string | null {
  if (connection?.trust.kind !== 'pinned') return null;
  const bytes = connection.trust.fingerprint256.replaceAll(':', '').toUpperCase().match(/../g);
  return bytes?.join(':') ?? null;
}
