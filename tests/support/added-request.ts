// Adds a request of a guest to a service under test.

import type { GuestRequestId, ScreenId, SiteId } from '../../src/kernel/ids.ts';
import type { Installation } from '../../src/kernel/installation.ts';
import { makePathToken } from '../../src/platform/secrets/token.ts';
import { TESTER } from './actors.ts';

interface Added {
  siteId: SiteId;
  name: string;
  /** Null if the guest asks on the public page. */
  screenId?: ScreenId | null;
  tokenHash?: string;
}

/** Also opens the request page of the site. */
export async function addRequestTo(
  { guestRequests }: Pick<Installation, 'guestRequests'>,
  { siteId, name, screenId = null, tokenHash = makePathToken().tokenHash }: Added,
): Promise<GuestRequestId> {
  await guestRequests.openPage(siteId, makePathToken(), { actor: TESTER, atMs: 1 });
  const request = { siteId, screenId, name, host: name, note: name, language: 'de' } as const;
  const added = await guestRequests.add(request, { tokenHash });
  if (!added) throw new Error('too many requests wait');
  return added.id;
}
