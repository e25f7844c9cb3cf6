// Adds a request of a guest to a service under test.

import type { Installation } from '../../src/app/installation.ts';
import type { GuestRequestId, SiteId } from '../../src/domain/ids.ts';
import { makePathToken } from '../../src/domain/token.ts';
import { TESTER } from './actors.ts';

/** Also opens the request page of the site. */
export async function addRequestTo(
  { guestRequests }: Pick<Installation, 'guestRequests'>,
  { siteId, name }: { siteId: SiteId; name: string },
): Promise<GuestRequestId> {
  await guestRequests.openPage(siteId, makePathToken(), { actor: TESTER, atMs: 1 });
  const request = { siteId, screenId: null, name, host: name, note: name, language: 'de' } as const;
  const added = await guestRequests.add(request, makePathToken().tokenHash);
  if (!added) throw new Error('too many requests wait');
  return added.id;
}
