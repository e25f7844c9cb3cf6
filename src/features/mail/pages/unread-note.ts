// The line above the voucher form about mails that were not delivered. It stays until somebody has read them.

import type { AuthenticatedContext } from '../../../kernel/pages/context.ts';
import { note } from '../../../kernel/pages/message.ts';
import type { Site } from '../../../kernel/sites/site.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { MAIL_TEXTS } from '../mail-texts.ts';

export async function unreadNote(context: AuthenticatedContext, sites: Site[]): Promise<Html | false> {
  const text = MAIL_TEXTS[context.language];
  const count = await context.app.mails.countUnread(sites.map(({ id }) => id));
  return (
    count > 0 && note('error', html`${text.unread(count)} <a href="/mails?state=unread">${text.look}</a>`)
  );
}
