// Compares what the callers of a storm were promised with the records, the consoles, the mails and the printed slips.
// Every difference is a fault.

import { hash } from 'node:crypto';
import { until } from '../../tests/support/until.ts';
import { type Ledger, LIMIT } from './callers.ts';
import type { World } from './world.ts';

const PATIENCE_MS = 180_000;

interface Recorded {
  id: number;
  siteId: number;
  code: string;
  name: string;
  isRevoked: boolean;
}

export async function auditStorm(world: World, ledger: Ledger): Promise<string[]> {
  await world.settleLater();
  await untilNothingWaits(world);
  const vouchers = await readVouchers(world);
  return [
    ...ledger.faults,
    ...auditCodes(vouchers, ledger),
    ...(await auditConsoles(world, vouchers, ledger)),
    ...(await auditBatches(vouchers, ledger)),
    ...(await auditMails(world, vouchers)),
    ...(await auditSlips(world)),
    ...[...ledger.windows.values()]
      .filter((accepted) => accepted > LIMIT)
      .map((accepted) => `${accepted} requests were accepted in a window of ${LIMIT}`),
  ];
}

async function readVouchers({ database }: World): Promise<Recorded[]> {
  const rows = await database.rows('select id, site_id, code, name, revoked_at_s from vouchers');
  return rows.map((row) => ({
    id: Number(row.id),
    siteId: Number(row.site_id),
    code: String(row.code),
    name: String(row.name).replace(/^[\d-]+_/, ''),
    isRevoked: row.revoked_at_s !== null,
  }));
}

function auditCodes(vouchers: Recorded[], { codes, shown, revoked, kioskOrders }: Ledger): string[] {
  const faults: string[] = [];
  const byCode = Map.groupBy(vouchers, ({ code }) => code);
  const byName = Map.groupBy(vouchers, ({ name }) => name);
  for (const [code, same] of byCode)
    if (same.length > 1) faults.push(`${code} is recorded ${same.length} times`);
  for (const [name, code] of codes)
    if (byCode.get(code)?.[0]?.name !== name)
      faults.push(`${name}: the promised code ${code} is not recorded`);
  for (const [name, same] of byName)
    if (/^(vertrag|buchung|reserve)-/.test(name) && same.length > 1)
      faults.push(`${name}: ${same.length} vouchers for one order`);
  const promised = [...codes.values(), ...shown];
  if (promised.length > new Set(promised).size) faults.push('a code was given to two callers');
  for (const code of shown) if (!byCode.has(code)) faults.push(`${code} was shown and is not recorded`);
  for (const name of revoked)
    if (byName.get(name)?.some((voucher) => !voucher.isRevoked))
      faults.push(`${name}: the revocation is lost`);
  const tapped = vouchers.filter(({ name }) => !/^(vertrag|buchung|reserve|gruppe)-/.test(name)).length;
  if (tapped > kioskOrders) faults.push(`${tapped} vouchers for ${kioskOrders} taps at kiosks`);
  return faults;
}

/**
 * Each console has the living vouchers and the stock, and nothing else. Vouchers that were to be revoked may be gone.
 */
async function auditConsoles(
  { sites, database }: World,
  vouchers: Recorded[],
  { revoking }: Ledger,
): Promise<string[]> {
  const faults: string[] = [];
  const stock = await database.rows("select site_id, code from stock where state <> 'gone'");
  for (const { siteId, console } of sites) {
    const ofSite = vouchers.filter((voucher) => voucher.siteId === siteId && !voucher.isRevoked);
    const ready = stock.filter((row) => Number(row.site_id) === siteId).map(({ code }) => String(code));
    const ours = new Set([...ofSite.map(({ code }) => code), ...ready]);
    const theirs = new Set(console.controls.vouchers().map(({ code }) => code));
    for (const code of theirs.difference(ours))
      faults.push(`${code} of site ${siteId} is on the console alone`);
    for (const code of ours.difference(theirs)) {
      const name = ofSite.find((voucher) => voucher.code === code)?.name ?? 'stock';
      if (!revoking.has(name)) faults.push(`${name}: ${code} of site ${siteId} is on record alone`);
    }
  }
  const open = await database.rows('select id from intents');
  if (open.length > 0) faults.push(`${open.length} intents are still open`);
  return faults;
}

function auditBatches(vouchers: Recorded[], { batches }: Ledger): string[] {
  const byName = Map.groupBy(vouchers, ({ name }) => name);
  return batches.flatMap(({ name, wanted, state }) => {
    const count = byName.get(name)?.length ?? 0;
    return count === wanted && state === 'done' ? [] : [`${name}: ${count} of ${wanted} vouchers, ${state}`];
  });
}

async function auditMails({ database, mailServer }: World, vouchers: Recorded[]): Promise<string[]> {
  await mailServer.settled();
  const faults: string[] = [];
  const rows = await database.rows("select voucher_id, state from messages where channel = 'mail'");
  const stateOf = new Map(rows.map(({ voucher_id, state }) => [Number(voucher_id), String(state)]));
  if (rows.length > stateOf.size) faults.push('a voucher has two mails');
  const arrivals = Map.groupBy(mailServer.book.arrivals, ({ code }) => code);
  for (const { id, code, name, isRevoked } of vouchers) {
    const state = stateOf.get(id);
    const mails = arrivals.get(code) ?? [];
    if (state === undefined && mails.length > 0) faults.push(`${name}: a mail that nobody ordered`);
    if (state !== undefined && state !== 'done' && !(state === 'cancelled' && isRevoked))
      faults.push(`${name}: the mail is ${state}`);
    if (state === 'done' && mails.length === 0) faults.push(`${name}: the mail never arrived`);
    if (new Set(mails.map(({ messageId }) => messageId)).size > 1)
      faults.push(`${name}: the mail was repeated with another Message-ID`);
  }
  return faults;
}

/** Two slips with the same picture have the same code. */
async function auditSlips({ database, printer }: World): Promise<string[]> {
  const faults: string[] = [];
  const whole = printer.slips.filter(({ ending }) => ending === 'cut');
  const pictures = new Set(whole.map(({ bits }) => hash('sha256', bits)));
  if (pictures.size < whole.length) faults.push(`${whole.length - pictures.size} slips were printed twice`);
  const jobs = await database.rows("select state from messages where channel = 'printer'");
  const printed = jobs.filter(({ state }) => state === 'done').length;
  const unknown = jobs.filter(({ state }) => state === 'uncertain').length;
  if (whole.length < printed || whole.length > printed + unknown)
    faults.push(`${whole.length} slips for ${printed} printed and ${unknown} unknown jobs`);
  return faults;
}

async function untilNothingWaits({ database }: World): Promise<void> {
  const count = async () => Number((await database.rows(WAITING))[0]?.n);
  await until(async () => (await count()) === 0, {
    patienceMs: PATIENCE_MS,
    everyMs: 200,
    otherwise: 'messages, revocations or batches wait forever',
  });
}

const WAITING = `select (select count(*) from messages where state in ('held', 'waiting', 'sending'))
  + (select count(*) from outbox) + (select count(*) from batches where ended_at_ms is null) as n`;
