// Queries for leases. All times come from the clock that every instance shares.

import { type RawBuilder, sql } from 'kysely';
import type { Handle } from '../database/database.ts';

/**
 * If a lease ends much later than a lease that begins now, the clock was set back, and the lease counts as free. A
 * lease that ends a little later does not: its holder may have renewed it after this statement read the time.
 */
export async function upsertLease(
  handle: Handle,
  { name, holder, forMs }: { name: string; holder: string; forMs: number },
  now: RawBuilder<number>,
): Promise<boolean> {
  const row = await handle
    .insertInto('leases')
    .values({ name, holder, until_ms: sql`${now} + ${forMs}` })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet((eb) => ({ holder: eb.ref('excluded.holder'), until_ms: eb.ref('excluded.until_ms') }))
        .where((eb) =>
          eb.or([
            eb('leases.holder', '=', holder),
            eb('leases.until_ms', '<=', now),
            eb('leases.until_ms', '>', sql<number>`${now} + ${2 * forMs}`),
          ]),
        ),
    )
    .returning('name')
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteLeases(handle: Handle): Promise<void> {
  await handle.deleteFrom('leases').execute();
}

export async function deleteLease(handle: Handle, name: string, holder: string): Promise<void> {
  await handle.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute();
}
