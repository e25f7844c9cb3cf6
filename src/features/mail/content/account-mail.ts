// Renders the mails to users: invitations, links for a new password, notices about changes of their account, failed
// backups, and guests who ask for vouchers. The HTML and the plain text contain the same.

import type { Language } from '../../../platform/text/language.ts';
import { sayTime } from '../../../platform/texts/durations.ts';
import type { UserMail } from '../account-mail.ts';
import { ACCOUNT_MAIL_TEXTS } from '../account-mail-texts.ts';
import type { AccountMailMessages } from '../account-mail-texts-de.ts';
import type { RenderedMail } from '../mail-content.ts';
import { button, DEFAULT_COLOUR, H1, paragraphs, SMALL, STRONG, toMailPage } from './mail-frame.ts';
import { markup } from './markup.ts';

export interface AccountMailFacts {
  mail: UserMail;
  language: Language;
  timeZone: string;
  /** The title of the installation. */
  title: string;
  occurredAtMs: number;
  /** The link of a mail that has one. */
  link: { url: string; expiresAtMs: number } | undefined;
  /** The page on which the staff decide on requests; undefined without a public address. */
  page?: string | undefined;
}

interface Parts {
  subject: string;
  heading: string;
  /** An empty line begins a paragraph. */
  before: string;
  button?: { url: string; label: string } | undefined;
  after: string;
}

export function renderAccountMail(facts: AccountMailFacts): RenderedMail {
  const { language, title } = facts;
  const messages = ACCOUNT_MAIL_TEXTS[language];
  const parts = toParts(facts, messages);
  const footer = messages.sentBy(title);
  return {
    subject: parts.subject,
    text: toText(parts, footer),
    html: toHtml(parts, { language, title, footer }),
    images: [],
  };
}

function toParts(facts: AccountMailFacts, messages: AccountMailMessages): Parts {
  const { mail, title, language, timeZone, occurredAtMs, link, page } = facts;
  const place = { language, timeZone };
  const time = sayTime(occurredAtMs, place);
  const greeted = (text: string) => `${messages.hello}\n\n${text}`;
  switch (mail.kind) {
    case 'invitation':
    case 'password-reset': {
      const text = messages.links[mail.kind];
      const subject = text.subject(title);
      const until = link ? [messages.until(sayTime(link.expiresAtMs, place))] : [];
      return {
        subject,
        heading: subject,
        before: greeted(text.what(title)),
        button: link && { url: link.url, label: text.button },
        after: [...until, text.notYou].join('\n\n'),
      };
    }
    case 'account-changed': {
      const text = messages.changes[mail.change];
      return {
        subject: `${text.title}: ${title}`,
        heading: text.title,
        before: greeted(text.what(title, time)),
        after: messages.notYou,
      };
    }
    case 'backup-failed': {
      const { backup: text } = messages;
      return {
        subject: `${text.title}: ${title}`,
        heading: text.title,
        before: greeted(`${text.what(title, time)}\n\n${mail.problem}`),
        after: text.next,
      };
    }
    case 'guest-request': {
      const { request: text } = messages;
      return {
        subject: `${text.title}: ${mail.site}`,
        heading: text.title,
        before: greeted(text.what(mail.site, time)),
        button: page === undefined ? undefined : { url: page, label: text.button },
        after: text.next,
      };
    }
  }
}

function toText({ before, button: offered, after }: Parts, footer: string): string {
  const link = offered && `${offered.label}:\n${offered.url}`;
  return `${[before, link, after, `-- \n${footer}`].filter(Boolean).join('\n\n')}\n`;
}

function toHtml(
  { subject, heading, before, button: offered, after }: Parts,
  { language, title, footer }: { language: Language; title: string; footer: string },
): string {
  const head = markup`<p class="ink" style="${STRONG};font-size:18px">${title}</p>`;
  const sections = [
    markup`<h1 class="ink" style="${H1}">${heading}</h1>`,
    paragraphs(before),
    offered !== undefined && button(offered.url, offered.label, DEFAULT_COLOUR),
    // For mail programs that do not show the button.
    offered !== undefined && markup`<p class="soft" style="${SMALL}">${offered.url}</p>`,
    paragraphs(after),
  ];
  return toMailPage({ language, subject, colour: DEFAULT_COLOUR, head, sections, footer });
}
