// `gastpass requests …`: list, approve and decline the requests of guests for vouchers, and print the address of the
// page on which guests ask.

import { siteDetails } from '../../kernel/audit/audit-details.ts';
import { auditContext } from '../../kernel/command-tools.ts';
import { asGuestRequestId, type GuestRequestId, type SiteId } from '../../kernel/ids.ts';
import type { Installation } from '../../kernel/installation.ts';
import { findProfile } from '../../kernel/profiles/profile-option.ts';
import { findSite, readSiteIdOption } from '../../kernel/sites/site-id-option.ts';
import { formatCode } from '../../kernel/vouchers/voucher.ts';
import { findNameProblem, trimName } from '../../kernel/vouchers/voucher-name.ts';
import {
  type Arguments,
  type Command,
  CommandFailed,
  type CommandTools,
  readNumber,
  switches,
  texts,
  WrongUsage,
} from '../../platform/cli/command.ts';
import { originOf } from '../../platform/cli/own-origin.ts';
import { print, printJson, printTable, sayKnown, toTime } from '../../platform/cli/print.ts';
import { makePathToken } from '../../platform/secrets/token.ts';
import { toOneLine } from '../../platform/text/one-line.ts';
import type { ApprovalProblem, ReserveApprovalProblem } from './decide-request.ts';
import { type GuestRequest, MAX_REASON_LENGTH, REQUEST_PATH } from './guest-request.ts';
import { noRequestPage } from './site-requests-options.ts';

const idFrom = (args: Arguments) => asGuestRequestId(readNumber(args.positional(0), 'request'));

async function findRequest({ guestRequests }: Installation, id: GuestRequestId): Promise<GuestRequest> {
  const request = await guestRequests.find(id);
  if (!request) throw new CommandFailed(`there is no request ${id}; see gastpass requests list`);
  return request;
}

const list: Command = {
  name: 'requests list',
  summary: 'List the requests of guests: first those that wait, then those decided in the last day.',
  prints: true,
  async run(args, { withInstallation }) {
    const rows = await withInstallation(async ({ guestRequests, sites }) =>
      (await guestRequests.list((await sites.list()).map(({ id }) => id))).map(toRow),
    );
    if (args.has('json')) printJson(rows);
    else printTable(rows, 'No requests. Guests can ask after gastpass sites set ID --requests on');
  },
};

function toRow(request: GuestRequest) {
  const { id, siteId, screenId, name, host, note, state, reason, voucherId, decidedBy } = request;
  return {
    id,
    site: siteId,
    screen: screenId,
    name,
    host,
    note,
    state: sayKnown(state),
    asked_at: toTime(request.createdAtMs),
    expires_at: toTime(request.expiresAtMs),
    decided_at: toTime(request.decidedAtMs),
    decided_by: decidedBy?.name ?? null,
    reason,
    voucher: voucherId,
  };
}

const approve: Command = {
  name: 'requests approve',
  summary: 'Approve a request: creates the voucher, which the guest then sees, and prints its code.',
  usage: '<id> [--profile PROFILE | --from-reserve]',
  help: [
    '--profile is the profile of the voucher, by name or number. Without it, the voucher is for one device and 8 hours.',
    '--from-reserve gives the guest a voucher of the reserve, for example while the console is away.',
  ].join('\n'),
  options: { ...texts('profile'), ...switches('from-reserve') },
  positionals: ['id'],
  prints: true,
  async run(args, { withInstallation }) {
    const id = idFrom(args);
    const profileText = args.text('profile');
    const isFromReserve = args.has('from-reserve');
    if (isFromReserve && profileText !== undefined)
      throw new WrongUsage('--from-reserve has the limits of the reserve: leave --profile out');
    const voucher = await withInstallation(async (installation, { timeZone }) => {
      const request = await findRequest(installation, id);
      const profile =
        profileText === undefined ? undefined : await findProfile(installation, request.siteId, profileText);
      const { makeCreationUseCases } = await import('../../kernel/vouchers/creation-use-cases.ts');
      const { makeDecisionUseCases } = await import('./request-use-cases.ts');
      const { makeHandOutUseCases } = await import('../reserve/hand-out-use-cases.ts');
      const { createVouchers } = makeCreationUseCases(installation, { timeZone });
      const { handOutReserve } = makeHandOutUseCases(installation, { timeZone });
      const decisions = makeDecisionUseCases(installation, { createVouchers, handOutReserve, timeZone });
      const by = auditContext(installation);
      const approved = isFromReserve
        ? await decisions.approveFromReserve(request, by)
        : await decisions.approveRequest(request, profile?.id ?? null, by);
      if (!approved.ok) throw toError(id, approved.problem);
      return approved.value;
    });
    const { code } = voucher;
    if (args.has('json'))
      printJson({ id, code, formatted_code: formatCode(code), voucher: voucher.id ?? null });
    else print(formatCode(code));
  },
};

const decline: Command = {
  name: 'requests decline',
  summary: 'Decline a request. The guest sees that, with the reason.',
  usage: '<id> [--reason TEXT] [--network]',
  help: '--network also declines all other waiting requests that came from the same network, such as a flood.',
  options: { ...texts('reason'), ...switches('network') },
  positionals: ['id'],
  async run(args, { withInstallation }) {
    const id = idFrom(args);
    const reason = trimName(args.text('reason') ?? '');
    if (reason !== '' && (findNameProblem(reason) || [...reason].length > MAX_REASON_LENGTH))
      throw new WrongUsage(
        `--reason: expected at most ${MAX_REASON_LENGTH} characters, without control characters`,
      );
    await withInstallation(async (installation) => {
      await findRequest(installation, id);
      const { guestRequests } = installation;
      const audit = auditContext(installation);
      if (args.has('network') && (await guestRequests.declineNetwork(id, reason || null, audit)) > 0) return;
      if (await guestRequests.decline(id, reason || null, audit)) return;
      throw toError(id, { kind: 'request-decided', request: await guestRequests.find(id) });
    });
  },
};

function toError(id: GuestRequestId, problem: ApprovalProblem | ReserveApprovalProblem): CommandFailed {
  switch (problem.kind) {
    case 'no-reserve':
      return new CommandFailed('the site has no voucher in reserve; see gastpass sites list');
    case 'profile-not-found':
      return new CommandFailed('the site has no such profile');
    case 'request-decided': {
      const { state, decidedBy } = problem.request ?? {};
      const by = decidedBy ? ` by ${toOneLine(decidedBy.name)}` : '';
      return new CommandFailed(
        state === undefined
          ? `request ${id} no longer exists`
          : `request ${id} does not wait any more: ${state}${by}`,
      );
    }
    case 'not-created': {
      const reason = 'text' in problem.problem ? toOneLine(problem.problem.text ?? '') : problem.problem.kind;
      return new CommandFailed(
        problem.isOpen
          ? `it is not clear yet whether the voucher was created: ${reason}`
          : `no voucher was created, and request ${id} still waits: ${reason}`,
      );
    }
  }
}

const address: Command = {
  name: 'requests address',
  summary: 'Print the address of the page of a site on which guests ask for vouchers.',
  usage: '--site ID',
  help: 'Everybody who has the address can ask. The page is switched on with gastpass sites set ID --requests on.',
  options: texts('site'),
  prints: true,
  async run(args, tools) {
    await printAddress(args, tools, async (installation, siteId) => {
      const { guestRequests, noteAudit, sites } = installation;
      const page = await guestRequests.findPage(siteId);
      if (!page) throw noRequestPage(siteId);
      const details = siteDetails(siteId, (await sites.find(siteId))?.name ?? '');
      await noteAudit({ ...auditContext(installation), action: 'site.requests-shown', details });
      if (page.token !== undefined) return page.token;
      throw new CommandFailed(
        `the address cannot be decrypted; make a new one: gastpass requests renew-address --site ${siteId}`,
      );
    });
  },
};

const renewAddress: Command = {
  name: 'requests renew-address',
  summary: 'Give the page for requests a new address and print it. The old one stops working at once.',
  usage: '--site ID',
  options: texts('site'),
  prints: true,
  async run(args, tools) {
    await printAddress(args, tools, async (installation, siteId) => {
      const token = makePathToken();
      const change = { token };
      if (await installation.guestRequests.changePage(siteId, change, auditContext(installation)))
        return token.token;
      throw noRequestPage(siteId);
    });
  },
};

type GiveToken = (installation: Installation, siteId: SiteId) => Promise<string>;

async function printAddress(
  args: Arguments,
  { withInstallation }: CommandTools,
  giveToken: GiveToken,
): Promise<void> {
  const siteId = readSiteIdOption(args.required('site'));
  const { token, url } = await withInstallation(async (installation, config) => {
    await findSite(installation, siteId);
    const token = await giveToken(installation, siteId);
    return { token, url: `${await originOf(installation, config)}${REQUEST_PATH}/${token}` };
  });
  if (args.has('json')) printJson({ site: siteId, token, url });
  else print(url);
}

export const requestCommands = [list, approve, decline, address, renewAddress];
