// Compares the vouchers on the consoles with the recorded vouchers: every difference is a fault.

import type { Fleet, FleetSite } from './fleet.ts';

type Books = Pick<Fleet, 'database'>;

/** Empty if nothing was lost, duplicated or orphaned. `promised` holds the codes that callers received. */
export async function auditBooks(fleet: Books, sites: FleetSite[], promised: string[]): Promise<string[]> {
  const rows = await fleet.database.rows(
    'select site_id::int as site_id, controller_voucher_id as id, code from vouchers',
  );
  const recorded = rows.map((row) => ({ siteId: row.site_id, id: String(row.id), code: String(row.code) }));
  const codes = new Set(recorded.map(({ code }) => code));
  const faults: string[] = [];
  const report = (count: number, what: string) => {
    if (count > 0) faults.push(`${count} ${what}`);
  };

  report(promised.filter((code) => !codes.has(code)).length, 'promised vouchers are not on record');
  report(promised.length - new Set(promised).size, 'codes were given to two callers');
  report(recorded.length - codes.size, 'codes are on record twice');
  for (const { siteId, console } of sites) {
    const ours = new Set(recorded.filter((voucher) => voucher.siteId === siteId).map(({ code }) => code));
    const theirs = new Set(console.controls.vouchers().map(({ code }) => code));
    report(theirs.difference(ours).size, `vouchers of site ${siteId} are on the console alone`);
    report(ours.difference(theirs).size, `vouchers of site ${siteId} are on record alone`);
  }
  report(await countRows(fleet, 'intents'), 'intents are still open');
  // In one query: events move from the outbox to the deliveries all the time.
  const announced = await countRows(
    fleet,
    '(select event_id from outbox union all select event_id from messages) as announced',
  );
  report(Math.abs(announced - recorded.length), 'announcements too few or too many');
  return faults;
}

export async function countRows({ database }: Books, table: string): Promise<number> {
  return Number((await database.rows(`select count(*) as n from ${table}`))[0]?.n);
}
