// The options of `gastpass sites set` that are about the page on which guests ask for vouchers.

import type { Installation } from '../app/installation.ts';
import type { Site } from '../domain/sites/site.ts';
import { makePathToken } from '../domain/token.ts';
import type { Arguments } from './command.ts';
import { auditContext } from './with-installation.ts';

export const REQUESTS_USAGE = '[--requests on|off]';
export const REQUESTS_OPTIONS = ['requests'] as const;
export const REQUESTS_HELP =
  '--requests says whether the site has a page on which guests ask for vouchers; the default is off. Its page in the web interface shows the address.';

/** Undefined if the command does not change it. */
export function readRequestsOption(args: Arguments): boolean | undefined {
  const choice = args.choice('requests', ['on', 'off']);
  return choice === undefined ? undefined : choice === 'on';
}

export async function setRequests(installation: Installation, { id }: Site, isOn: boolean): Promise<void> {
  const { guestRequests } = installation;
  if (isOn) await guestRequests.openPage(id, makePathToken(), auditContext(installation));
  else await guestRequests.closePage(id, auditContext(installation));
}
