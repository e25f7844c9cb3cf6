// Draws a job, and gives it up if it cannot be drawn: it must not hold up the jobs behind it for long.

import { type AttemptOutcome, type Message, NOTHING_SENT } from '../../../kernel/messages/message.ts';
import { toOneLine } from '../../../platform/text/one-line.ts';
import { DatabaseUnavailable } from '../../../platform/values/database-unavailable.ts';
import type { Printer } from '../printer.ts';
import type { DrawJob } from './draw-job.ts';

const MAX_DRAWINGS = 3;

/** Fails only if the database is unavailable. */
export type DrawOrGiveUp = (printer: Printer, job: Message) => ReturnType<DrawJob>;

export function makeDrawOrGiveUp(drawJob: DrawJob): DrawOrGiveUp {
  return async (printer, job) => {
    try {
      return await drawJob(printer, job);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      return { outcome: notDrawn(job, error) };
    }
  };
}

function notDrawn({ attempts }: Message, error: unknown): AttemptOutcome {
  const why = toOneLine(error instanceof Error ? error.message : String(error));
  const made = { ...NOTHING_SENT, error: `the slip could not be drawn: ${why}` };
  return attempts + 1 < MAX_DRAWINGS
    ? { ...made, result: 'later', pauses: 'message', retryAfterMs: null }
    : { ...made, result: 'never' };
}
