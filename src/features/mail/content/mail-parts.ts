// The parts of the mail with a voucher: the facts with all texts of the guest's language, ready to be laid out.

import { withoutControls } from '../../../platform/text/control-characters.ts';
import { GUEST_MESSAGES, type GuestMessages } from '../../guest-pages/guest-texts.ts';
import { fillMailText, type MailTexts } from '../custom-mail-text.ts';
import type { VoucherMailFacts } from '../mail-content.ts';

const MAX_SHOWN_SUBJECT = 200;

export interface MailParts extends Omit<VoucherMailFacts, 'texts'> {
  messages: GuestMessages;
  subject: string;
  greeting: string;
  closing: string;
  qr: { label: string; hint: string };
}

export function toMailParts({ texts, ...given }: VoucherMailFacts): MailParts {
  const messages = GUEST_MESSAGES[given.language];
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
