// Composes the mails to users. Links begin with the public address, never with an address from a request. A link that
// no longer works is not sent.

import type { Message } from '../../../kernel/messages/message.ts';
import type { PublicUrl } from '../../../kernel/settings/public-url.ts';
import type { SettingsStore } from '../../../kernel/settings/settings.ts';
import { INVITATION_PATH, type InvitationStore, isOpen } from '../../../kernel/users/invitations.ts';
import { hashToken } from '../../../platform/secrets/token.ts';
import { FIRST_LANGUAGE } from '../../../platform/text/language.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { readAccountMail, type SealedAccountMail } from '../account-mail.ts';
import { toMailMessageId } from '../mail.ts';
import { readMailFacts } from '../mail-facts.ts';
import type { OutgoingMail } from '../outgoing-mail.ts';

/** Where the staff decide on requests. */
const REQUESTS_PAGE = '/requests';

export interface AccountMailDeps {
  invitations: Pick<InvitationStore, 'find'>;
  settings: Pick<SettingsStore, 'read'>;
  readPublicUrl(): Promise<Pick<PublicUrl, 'url'> | undefined>;
  timeZone: string;
  clock: Clock;
}

/** `unreadable`: the facts cannot be opened, or a newer release wrote them. `void`: the link no longer works. */
export type ComposeAccountMail = (message: Message) => Promise<OutgoingMail | 'unreadable' | 'void'>;

export function makeComposeAccountMail(deps: AccountMailDeps): ComposeAccountMail {
  const { invitations, settings, readPublicUrl, timeZone, clock } = deps;

  return async function composeAccountMail(message) {
    const sealed = readAccountMail(message.sealedPayload);
    const facts = readMailFacts(message.payload);
    if (!sealed || !facts) return 'unreadable';
    const link = 'token' in sealed ? await findLink(sealed) : undefined;
    if ('token' in sealed && !link) return 'void';
    // The page asks for a login, and a mail never decides: mail scanners open every link.
    const page = sealed.kind === 'guest-request' ? await findRequestsPage() : undefined;
    const { title, language: installed } = await settings.read();
    const language = facts.language ?? installed ?? FIRST_LANGUAGE;
    const { occurredAtMs } = message;
    // Loaded with the first mail: most processes send none.
    const { renderAccountMail } = await import('../content/account-mail.ts');
    return {
      messageId: toMailMessageId(message.eventId, facts),
      dateMs: occurredAtMs,
      to: sealed.address,
      language,
      content: renderAccountMail({ mail: sealed, language, timeZone, title, occurredAtMs, link, page }),
    };
  };

  async function findRequestsPage(): Promise<string | undefined> {
    const publicUrl = await readPublicUrl();
    return publicUrl && `${publicUrl.url}${REQUESTS_PAGE}`;
  }

  async function findLink({ token }: SealedAccountMail & { token: string }) {
    const publicUrl = await readPublicUrl();
    const found = await invitations.find(hashToken(token));
    if (!publicUrl || !found || !isOpen(found, clock.nowMs())) return undefined;
    return { url: `${publicUrl.url}${INVITATION_PATH}/${token}`, expiresAtMs: found.expiresAtMs };
  }
}
