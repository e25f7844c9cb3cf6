// Waits for work that a form has begun, such as the creation of a batch.

import type { PageContext } from './context.ts';

const WORTH_WAITING_MS = 3_000;

/**
 * Waits until the work has ended, but not for long. It goes on in the background, while its page shows the progress.
 */
export async function waitAWhile({ app }: PageContext, work: Promise<unknown>): Promise<void> {
  const ended = app.runInBackground(work);
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, WORTH_WAITING_MS).unref())]);
}
