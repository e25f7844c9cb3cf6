// `gastpass vouchers list`, `revoke` and `import`.

import { type Command, CommandFailed, texts } from '../../platform/cli/command.ts';
import { print, printError, printJson, printTable, secondsToTime } from '../../platform/cli/print.ts';
import { toOneLine } from '../../platform/text/one-line.ts';
import { toWholeSeconds } from '../../platform/time/clock.ts';
import { toActorText } from '../audit/actor.ts';
import { auditContext } from '../command-tools.ts';
import { findSite, readSiteIdOption } from '../sites/site-id-option.ts';
import { printSynced, syncSites } from '../sites/sync-sites-command.ts';
import { writeDuration } from './duration-option.ts';
import { foundChunks } from './found-chunks.ts';
import { expiresAtS, formatCode } from './voucher.ts';
import type { FoundVoucher } from './voucher-search.ts';
import { stateOf, VOUCHER_STATES } from './voucher-state.ts';

const SHOWN = 50;
const MAX_SHOWN = 10_000;

const list: Command = {
  name: 'vouchers list',
  summary: 'List the newest vouchers of all sites or of one.',
  usage: `[--site ID] [--search TEXT] [--state ${VOUCHER_STATES.join('|')}] [--limit 1-${MAX_SHOWN}]`,
  help: [
    'TEXT is part of a code, with or without the dash, or part of a name.',
    'unused: no guest has used it yet. in-use: its time is running. used-up: no further device can use it.',
    'deleted: it disappeared from the controller before its time was over.',
    `Without --limit, ${SHOWN} vouchers are listed. The list is as of the last sync; gastpass sync updates it.`,
  ].join('\n'),
  options: texts('site', 'search', 'state', 'limit'),
  prints: true,
  async run(args, { withInstallation }) {
    const [site, text] = [args.text('site'), args.text('search')];
    const id = site === undefined ? undefined : readSiteIdOption(site);
    const state = args.choice('state', VOUCHER_STATES);
    const limit = args.count('limit', MAX_SHOWN) ?? SHOWN;
    const { found, nowS } = await withInstallation(async (installation) => {
      const { sites, finder, clock } = installation;
      const searched = id === undefined ? await sites.list() : [await findSite(installation, id)];
      const nowS = toWholeSeconds(clock.nowMs());
      const search = {
        siteIds: searched.map((one) => one.id),
        ...(text !== undefined && { text }),
        ...(state && { state }),
        nowS,
      };
      const found: FoundVoucher[] = [];
      for await (const chunk of foundChunks(finder, search)) {
        found.push(...chunk);
        if (found.length > limit) break;
      }
      return { found, nowS };
    });
    const shown = found.slice(0, limit);
    if (args.has('json')) printJson(shown.map((voucher) => toJson(voucher, nowS)));
    else
      printTable(
        shown.map((voucher) => toRow(voucher, nowS)),
        'No vouchers found.',
      );
    if (found.length > limit)
      printError(`gastpass: there are more vouchers; these are the newest ${limit}, see --limit`);
  },
};

function toRow(voucher: FoundVoucher, nowS: number) {
  const { code, name, siteName, usedCount, maxUses, expireMinutes } = voucher;
  const { created_at, expires_at } = timesOf(voucher);
  return {
    code: formatCode(code),
    name: toOneLine(name),
    site: siteName,
    state: stateOf(voucher, nowS),
    uses: `${usedCount}/${maxUses === 0 ? '∞' : maxUses}`,
    duration: writeDuration(expireMinutes),
    created_at,
    expires_at,
  };
}

function toJson(voucher: FoundVoucher, nowS: number) {
  const { id, siteId, siteName, code, name, usedCount, maxUses, expireMinutes, createdBy } = voucher;
  const { downKbps, upKbps, quotaMb, revokedAtS } = voucher;
  return {
    id,
    site_id: siteId,
    site: siteName,
    code,
    formatted_code: formatCode(code),
    name,
    state: stateOf(voucher, nowS),
    used_count: usedCount,
    max_uses: maxUses,
    expire_minutes: expireMinutes,
    qos: { down: downKbps, up: upKbps, quota_mb: quotaMb },
    ...timesOf(voucher),
    revoked_at: secondsToTime(revokedAtS),
    created_by: createdBy && toActorText(createdBy),
  };
}

function timesOf(voucher: FoundVoucher) {
  return {
    created_at: secondsToTime(voucher.createdAtS),
    ends_at: secondsToTime(voucher.endsAtS),
    expires_at: secondsToTime(expiresAtS(voucher)),
  };
}

const revoke: Command = {
  name: 'vouchers revoke',
  summary: 'Revoke a voucher: delete it on its controller, so that nobody can log in with it any more.',
  usage: '--site ID --code CODE',
  help: [
    'CODE is written with or without the dash. Revoking a voucher twice does no harm.',
    'If the controller fails, nothing is recorded and the exit code is 1: repeat the command.',
  ].join('\n'),
  options: texts('site', 'code'),
  prints: true,
  async run(args, { withInstallation }) {
    const siteId = readSiteIdOption(args.required('site'));
    const code = args.required('code').replaceAll(/[\s-]/g, '');
    const { id, wasRevoked } = await withInstallation(async (installation) => {
      const site = await findSite(installation, siteId);
      const voucher = await installation.revocations.findByCode(siteId, code);
      if (!voucher)
        throw new CommandFailed(
          `${site.name} has no voucher with this code; see gastpass vouchers list --site ${siteId}`,
        );
      const wasRevoked = voucher.revokedAtS !== null;
      if (!wasRevoked) {
        const { makeRevocationUseCases } = await import('./revocation-use-cases.ts');
        const { revokeVoucher } = makeRevocationUseCases(installation);
        const failure = await revokeVoucher(voucher, auditContext(installation));
        if (failure) throw new CommandFailed(`not revoked: ${toOneLine(failure.text)}`);
      }
      return { id: voucher.id, wasRevoked };
    });
    if (args.has('json')) printJson({ id, code, was_revoked_before: wasRevoked });
    else print(`${formatCode(code)}: ${wasRevoked ? 'was revoked before' : 'revoked'}`);
  },
};

const importForeign: Command = {
  name: 'vouchers import',
  summary: 'Import the vouchers that others created on the controllers, for all active sites or for one.',
  usage: '[--site ID]',
  help: [
    'Runs one sync with import, even for sites with --import off. The setting of the site does not change.',
    'Imported vouchers can be listed, searched and revoked like all others. Vouchers older than the retention time are',
    'left out, and so are vouchers that Gastpass itself is creating at the moment.',
  ].join('\n'),
  options: texts('site'),
  prints: true,
  async run(args, tools) {
    const synced = await syncSites(args, tools, (site) => ({ ...site, importsForeign: true }));
    const rows = synced.map(({ id, name, listed, imported, problem }) => ({
      id,
      name,
      listed,
      imported,
      problem,
    }));
    printSynced(rows, args);
  },
};

export const voucherCommands = [list, revoke, importForeign];
