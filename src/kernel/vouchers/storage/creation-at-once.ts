// The steps of a creation on PostgreSQL for one intent and one voucher, each in one round trip. store.ts uses them for
// API requests. For batches and settling, store.ts runs transactions with several statements.

import { makeSharedReads } from '../../../platform/concurrency/shared-reads.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { UpstreamVoucher } from '../../controllers/controller.ts';
import type { CreatedVoucher, IdempotencyTicket, Intent, NewIntent } from '../voucher-records.ts';
import {
  abandonAtOnce,
  addAllNotedChanges,
  addNotedChanges,
  LATER_ID,
  makeInsertIntentWithTicket,
  recordAtOnce,
} from './at-once-queries.ts';
import { toEntry, toEvent, toNewVoucher, toResponse } from './created-records.ts';
import { makeInsertIntent } from './intent-queries.ts';

export function makeCreationAtOnce(database: Database, responsesKeptMs: number) {
  const { writeAtOnce } = database;
  if (!writeAtOnce) return undefined;
  const insertIntent = makeInsertIntent(database.now());
  const insertIntentWithTicket = makeInsertIntentWithTicket(database.now());
  const addNoted = makeSharedReads((siteId: Intent['siteId']) =>
    writeAtOnce((handle) => addNotedChanges(handle, siteId), 'finishes'),
  );

  return {
    /** Undefined if the idempotency key of the ticket is taken. */
    begin: (intent: NewIntent, ticket?: IdempotencyTicket): Promise<Intent | undefined> =>
      writeAtOnce((handle) =>
        ticket
          ? insertIntentWithTicket(handle, intent, { ticket, keptMs: responsesKeptMs })
          : insertIntent(handle, intent),
      ),

    /** Undefined, and nothing is changed, if the intent is settled or the voucher is already recorded. */
    async record(
      intent: Intent,
      upstream: UpstreamVoucher,
      code: string,
    ): Promise<CreatedVoucher | undefined> {
      const response = toResponse(intent, code);
      const records = {
        intent,
        voucher: toNewVoucher(intent, upstream, code),
        event: toEvent(intent),
        entry: toEntry(intent, LATER_ID),
        response: JSON.stringify(response),
      };
      const outcome = await writeAtOnce((handle) => recordAtOnce(handle, records), 'finishes');
      // The caller need not wait. A failure does no harm: the list version is read together with the noted changes.
      if (outcome?.noted) addNoted(intent.siteId).catch(() => {});
      return outcome && { ...response, id: outcome.id };
    },

    /** Adds all noted changes, also those of instances that ended before they could add them. */
    addAllNoted: () => writeAtOnce(addAllNotedChanges),

    abandon: (intent: Intent): Promise<boolean> =>
      writeAtOnce((handle) => abandonAtOnce(handle, intent), 'finishes'),
  };
}
