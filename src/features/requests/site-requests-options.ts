// The options of `gastpass sites set` that are about the page on which guests ask for vouchers.

import { auditContext } from '../../kernel/command-tools.ts';
import type { Installation } from '../../kernel/installation.ts';
import type { Site } from '../../kernel/sites/site.ts';
import { type Arguments, CommandFailed, WrongUsage } from '../../platform/cli/command.ts';
import { printError } from '../../platform/cli/print.ts';
import { makePathToken } from '../../platform/secrets/token.ts';
import { isMailAddress } from '../../platform/text/mail-address.ts';

export const REQUESTS_USAGE = '[--requests on|off] [--requests-mail ADDRESS]';
export const REQUESTS_OPTIONS = ['requests', 'requests-mail'] as const;
export const REQUESTS_HELP = [
  '--requests says whether the site has a page on which guests ask for vouchers; the default is off. gastpass requests address',
  'prints its address. --requests-mail is the address that gets a mail for each request; "none" for no mails.',
].join('\n');

export interface RequestsOptions {
  isOn?: boolean;
  mailTo?: string | null;
}

/** Undefined if the command changes nothing about the page. */
export function readRequestsOptions(args: Arguments): RequestsOptions | undefined {
  const choice = args.choice('requests', ['on', 'off']);
  const mail = args.text('requests-mail');
  if (choice === undefined && mail === undefined) return undefined;
  if (mail !== undefined && mail !== 'none' && !isMailAddress(mail))
    throw new WrongUsage('--requests-mail: expected an e-mail address of plain ASCII, or none');
  if (choice === 'off' && mail !== undefined)
    throw new WrongUsage('--requests-mail: without its page, a site has no such address');
  return {
    ...(choice !== undefined && { isOn: choice === 'on' }),
    ...(mail !== undefined && { mailTo: mail === 'none' ? null : mail }),
  };
}

/** Returns the function that changes the page. First checks that the site has a page, or gets one. */
export async function prepareRequests(
  installation: Installation,
  { id }: Site,
  { isOn, mailTo }: RequestsOptions,
): Promise<() => Promise<void>> {
  const { guestRequests, mailServer } = installation;
  if (isOn === undefined && !(await guestRequests.findPage(id))) throw noRequestPage(id);
  return async () => {
    const audit = auditContext(installation);
    if (isOn === true) await guestRequests.openPage(id, makePathToken(), audit);
    if (isOn === false) await guestRequests.closePage(id, audit);
    if (mailTo === undefined) return;
    await guestRequests.changePage(id, { mailTo }, audit);
    if (mailTo !== null && !(await mailServer.find()))
      printError('gastpass: warning: e-mail is not set up, so no mails are sent; see docs/e-mail.md');
  };
}

export function noRequestPage(id: Site['id']): CommandFailed {
  return new CommandFailed(
    `site ${id} has no page for requests; switch it on: gastpass sites set ${id} --requests on`,
  );
}
