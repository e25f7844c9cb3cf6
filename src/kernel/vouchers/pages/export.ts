// Exports the vouchers of a batch, or those that match a filter, as CSV.

import { type Cell, toCsv } from '../../../platform/pages/csv.ts';
import { toActorText } from '../../audit/actor.ts';
import { asBatchId } from '../../ids.ts';
import { type AuthenticatedContext, auditContextOf } from '../../pages/context.ts';
import { datedName, download } from '../../pages/download.ts';
import type { Route } from '../../pages/route.ts';
import { foundChunks } from '../found-chunks.ts';
import { endOfTimeS, formatCode } from '../voucher.ts';
import type { FoundVoucher } from '../voucher-search.ts';
import { stateOf } from '../voucher-state.ts';
import { readSearch } from './read-search.ts';
import { madeBy, shownName } from './voucher-details.ts';

/** The maximum number of exported vouchers. A larger export would have to be streamed. */
export const MAX_EXPORTED = 50_000;

export const exportRoutes: Route[] = [
  { method: 'GET', path: '/export/vouchers.csv', permission: 'operator', run: exportVouchers },
];

async function exportVouchers(context: AuthenticatedContext) {
  const { sitesFor, finder, noteAudit } = context.app;
  const { search } = readSearch(context, await sitesFor(context.user));
  const rows: Cell[][] = [context.messages.revoke.columns];
  const batch = context.query.get('batch');
  const wanted = batch === null ? search : { ...search, batchId: asBatchId(batch), sort: 'oldest' as const };
  let batchName: string[] | undefined;
  for await (const vouchers of foundChunks(finder, wanted)) {
    const [first] = vouchers;
    if (batch !== null && first) batchName ??= [first.siteName, shownName(first)];
    const room = MAX_EXPORTED + 1 - rows.length;
    rows.push(...vouchers.slice(0, room).map((voucher) => toRow(context, voucher)));
    if (vouchers.length >= room) break;
  }
  const details = { count: rows.length - 1 };
  await noteAudit({ ...auditContextOf(context), action: 'voucher.exported', details });
  const name = datedName(context, batchName ?? [context.messages.list.title]);
  return download(context, { name: `${name}.csv`, type: 'text/csv; charset=utf-8', body: toCsv(rows) });
}

function toRow(context: AuthenticatedContext, voucher: FoundVoucher): Cell[] {
  const { messages, nowS } = context;
  const endS = endOfTimeS(voucher);
  const time = (seconds: number) => new Date(seconds * 1000).toISOString();
  return [
    // The formatted code contains a dash, so spreadsheets treat it as text and keep its leading zeros.
    formatCode(voucher.code),
    voucher.name,
    voucher.siteName,
    messages.state[stateOf(voucher, nowS)],
    voucher.usedCount,
    voucher.maxUses,
    voucher.expireMinutes,
    time(voucher.createdAtS),
    endS === null ? null : time(endS),
    creatorOf(voucher, context),
    voucher.reference,
    voucher.note,
  ];
}

/** Who created the voucher. Programs read this file, so it keeps its words when those of the pages change. */
function creatorOf(voucher: FoundVoucher, context: AuthenticatedContext): string {
  const { ownerName, createdBy } = voucher;
  const { creators } = context.messages.revoke;
  if (ownerName !== null) return madeBy(voucher, context);
  if (createdBy === null) return creators.unknown;
  if (createdBy.kind === 'controller') return creators.controller;
  return createdBy.kind === 'command' ? toActorText(createdBy) : madeBy(voucher, context);
}
