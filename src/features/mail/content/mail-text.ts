// The mail with a voucher as plain text.

import type { MailParts } from './mail-parts.ts';

export function toMailText(parts: MailParts): string {
  const { messages, greeting, code, validity, steps, slipText, closing, siteName } = parts;
  const { guestPage, mail } = messages;
  const blocks = [
    parts.isDemo && messages.demoBadge,
    greeting,
    [`${guestPage.code}: ${code}`, ...validity].join('\n'),
    wifiLines(parts).join('\n'),
    steps.length > 0 && [guestPage.steps, ...steps.map((step, index) => `${index + 1}. ${step}`)].join('\n'),
    parts.guestPageUrl !== null && `${mail.openPage}:\n${parts.guestPageUrl}`,
    slipText,
    closing,
    `-- \n${mail.sentBy(siteName)}`,
  ];
  return `${blocks.filter(Boolean).join('\n\n')}\n`;
}

function wifiLines({ wifi, messages: { onPaper } }: MailParts): string[] {
  if (!wifi) return [];
  const name = `${onPaper.wifi}: ${wifi.name}`;
  return wifi.password === null ? [name] : [name, `${onPaper.password}: ${wifi.password}`];
}
