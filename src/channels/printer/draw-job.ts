// What a print job prints.

import type { AttemptOutcome, Message } from '../../domain/messages/message.ts';
import type { Printer } from '../../domain/printers/printer.ts';
import type { Bitmap } from '../../print/bitmap.ts';

/**
 * The slip as a picture; or the outcome, if the job cannot be printed, for example because its voucher has ended. The
 * picture of a job is always the same, unless the voucher or the settings of its site change.
 */
export type DrawJob = (
  printer: Printer,
  job: Pick<Message, 'kind' | 'payload' | 'voucherId'>,
) => Promise<{ picture: Bitmap } | { outcome: AttemptOutcome }>;
