// The parts of the mail with a voucher: the facts with all texts of the guest's language, ready to be laid out.

import { GUEST_TEXTS } from '../../../kernel/vouchers/texts/guest-texts.ts';
import { withoutControls } from '../../../platform/text/control-characters.ts';
import type { Language } from '../../../platform/text/language.ts';
import { GUEST_PAGE_TEXTS } from '../../guest-pages/guest-page-texts.ts';
import { fillMailText, type MailTexts } from '../custom-mail-text.ts';
import type { VoucherMailFacts } from '../mail-content.ts';
import { MAIL_CONTENT_TEXTS } from '../mail-content-texts.ts';

const MAX_SHOWN_SUBJECT = 200;

export interface MailParts extends Omit<VoucherMailFacts, 'texts'> {
  messages: ReturnType<typeof messagesIn>;
  subject: string;
  greeting: string;
  closing: string;
  qr: { label: string; hint: string };
}

function messagesIn(language: Language) {
  const guestPage = GUEST_PAGE_TEXTS[language];
  return { ...GUEST_TEXTS[language], guestPage, mail: MAIL_CONTENT_TEXTS[language] };
}

export function toMailParts({ texts, ...given }: VoucherMailFacts): MailParts {
  const messages = messagesIn(given.language);
  const { mail, guestPage, onPaper } = messages;
  const facts = { ...given, name: plain(given.name), siteName: plain(given.siteName) };
  const values = {
    name: facts.name,
    site: facts.siteName,
    wifi: facts.wifi?.name ?? onPaper.wifi,
    until: facts.until,
  };
  const say = (field: keyof MailTexts) => fillMailText(texts[field] || mail[field], values);
  return {
    ...facts,
    messages,
    subject: shortened(plain(say('subject'))),
    greeting: say('greeting'),
    closing: say('closing'),
    qr: facts.wifi?.qrText
      ? { label: guestPage.joinQr, hint: guestPage.joinQrHint }
      : { label: guestPage.codeQr, hint: guestPage.codeQrHint },
  };
}

/** On one line, so that a name cannot begin a new header or change the direction of the text around it. */
function plain(text: string): string {
  return withoutControls(text.toWellFormed()).replace(/\s+/g, ' ').trim();
}

/** A name may be long, and a subject may contain it several times. */
function shortened(subject: string): string {
  const characters = [...subject];
  if (characters.length <= MAX_SHOWN_SUBJECT) return subject;
  return `${characters.slice(0, MAX_SHOWN_SUBJECT - 1).join('')}…`;
}
