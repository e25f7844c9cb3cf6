// `gastpass requests …`: list, approve and decline the requests of guests for vouchers.

import type { Installation } from '../../app/installation.ts';
import { asGuestRequestId, type GuestRequestId } from '../../domain/ids.ts';
import { toOneLine } from '../../domain/one-line.ts';
import type { ApprovalProblem } from '../../domain/requests/decide-request.ts';
import { type GuestRequest, MAX_REASON_LENGTH } from '../../domain/requests/guest-request.ts';
import { formatCode } from '../../domain/vouchers/voucher.ts';
import { findNameProblem, trimName } from '../../domain/vouchers/voucher-name.ts';
import { type Arguments, type Command, CommandFailed, readNumber, texts, WrongUsage } from '../command.ts';
import { findProfile } from '../find-profile.ts';
import { print, printJson, printTable, sayKnown, toTime } from '../print.ts';
import { auditContext, withInstallation } from '../with-installation.ts';

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
  async run(args) {
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
  usage: '<id> [--profile PROFILE]',
  help: '--profile is the profile of the voucher, by name or number. Without it, the voucher is for one device and 8 hours.',
  options: texts('profile'),
  positionals: ['id'],
  prints: true,
  async run(args) {
    const id = idFrom(args);
    const profileText = args.text('profile');
    const voucher = await withInstallation(async (installation, { timeZone }) => {
      const request = await findRequest(installation, id);
      const profile =
        profileText === undefined ? undefined : await findProfile(installation, request.siteId, profileText);
      const { makeCreationUseCases } = await import('../../app/creation-use-cases.ts');
      const { makeDecisionUseCases } = await import('../../app/request-use-cases.ts');
      const { createVouchers } = makeCreationUseCases(installation, { timeZone });
      const { approveRequest } = makeDecisionUseCases(installation, { createVouchers, timeZone });
      const approved = await approveRequest(request, profile?.id ?? null, auditContext(installation));
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
  usage: '<id> [--reason TEXT]',
  options: texts('reason'),
  positionals: ['id'],
  async run(args) {
    const id = idFrom(args);
    const reason = trimName(args.text('reason') ?? '');
    if (reason !== '' && (findNameProblem(reason) || [...reason].length > MAX_REASON_LENGTH))
      throw new WrongUsage(
        `--reason: expected at most ${MAX_REASON_LENGTH} characters, without control characters`,
      );
    await withInstallation(async (installation) => {
      await findRequest(installation, id);
      const { guestRequests } = installation;
      if (await guestRequests.decline(id, reason || null, auditContext(installation))) return;
      throw toError(id, { kind: 'request-decided', request: await guestRequests.find(id) });
    });
  },
};

function toError(id: GuestRequestId, problem: ApprovalProblem): CommandFailed {
  switch (problem.kind) {
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

export const requestCommands = [list, approve, decline];
