// Printers as recipients of print jobs. A pause after a failure is stored with the printer.

import { sql } from 'kysely';
import { pauseFor } from '../../kernel/messages/pause-columns.ts';
import type { Recipients } from '../../kernel/messages/recipient-queries.ts';
import { PRINTER_KINDS, PRINTER_LAYOUTS, ROLL_WIDTHS } from './printer.ts';

const literals = (values: readonly (string | number)[]) => sql.join(values.map((value) => sql.lit(value)));

/** Printers with settings that only a newer release knows are left to instances of that release. */
const IS_KNOWN = sql`kind in (${literals(PRINTER_KINDS)}) and paper in (${literals(ROLL_WIDTHS)})
  and layout in (${literals(PRINTER_LAYOUTS)})`;

export const printerRecipients: Recipients = {
  // The service looks for jobs of all printers only to send them. Printers that poll fetch their jobs themselves.
  ready: (_, only) => sql`(
    select id as recipient_id, failures, due_at_ms, paused_at_ms from printers
    where ${only ? sql`id = ${only}` : sql`kind = 'escpos'`} and ${IS_KNOWN}
  )`,
  async noteAttempt(transaction, { recipientId, now }, { failed, pauseMs }) {
    await transaction
      .updateTable('printers')
      .set((eb) => ({
        failures: failed ? eb('failures', '+', 1) : 0,
        ...pauseFor(pauseMs, now),
        ...(!failed && { printed_at_ms: now }),
      }))
      .where('id', '=', recipientId)
      .execute();
  },
};
