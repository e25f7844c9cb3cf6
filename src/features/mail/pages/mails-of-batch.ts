// What became of the mails of a batch: a sentence for one voucher, otherwise how many mails are in which state.

import type { Batch } from '../../../kernel/batches/batch.ts';
import type { AuthenticatedContext } from '../../../kernel/pages/context.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { MAIL_TEXTS } from '../mail-texts.ts';
import { mailedLine } from './mail-state.ts';

export async function mailsOfBatch(
  context: AuthenticatedContext,
  { vouchers }: Batch,
): Promise<Html | false> {
  const { app, language } = context;
  const text = MAIL_TEXTS[language];
  const newest = [...(await app.mails.newestOf(vouchers.map(({ id }) => id))).values()];
  const [first] = newest;
  if (!first) return false;
  if (newest.length === 1) return mailedLine(context, first);
  const states = Map.groupBy(newest, ({ state }) => state);
  const counts = [...states].map(
    ([state, mails]) => `${mails.length.toLocaleString(language)} ${text.states[state]}`,
  );
  const isUnread = newest.some((mail) => mail.isUnread);
  return html`<p class="mailed${isUnread && ' bad'}">${icon('mail')}${text.inStates(counts.join(', '))}${isUnread && html` <a href="/mails?state=unread">${text.look}</a>`}</p>`;
}
