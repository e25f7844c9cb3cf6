// The mail with a voucher as HTML. `mail-frame.ts` has what all mails have in common.

import { imageSizeOf } from '../../../platform/drawing/image-size.ts';
import type { MailImage } from '../mail-content.ts';
import {
  BODY,
  BREAKS,
  button,
  DEFAULT_COLOUR,
  H1,
  inkOn,
  paragraphs,
  SANS,
  SMALL,
  STRONG,
  toMailPage,
} from './mail-frame.ts';
import type { MailParts } from './mail-parts.ts';
import { type Markup, markup } from './markup.ts';

interface Images {
  qr: MailImage;
  logo: MailImage | null;
}

const MONO = "font-family:ui-monospace,Menlo,Consolas,'Courier New',monospace";
const H2 = `margin:0 0 12px;${SANS};font-size:18px;line-height:24px;font-weight:bold;color:#1a1e26`;
/** A tap or a click selects the whole code. */
const CODE = `margin:4px 0 8px;${MONO};font-size:32px;line-height:40px;font-weight:bold;color:#1a1e26;-webkit-user-select:all;user-select:all`;
const LOGO_BOX = { width: 260, height: 80 };
const QR_SIZE = 136;
const QR_GAP = 16;

export function toMailHtml(parts: MailParts, { qr, logo }: Images): string {
  const { language, subject, messages, siteName, greeting, closing, slipText } = parts;
  const colour = parts.colour ?? DEFAULT_COLOUR;
  const sections = [
    markup`<h1 class="ink" style="${H1}">${messages.guestPage.title}</h1>`,
    parts.isDemo && demoNote(parts),
    paragraphs(greeting),
    codeBox(parts),
    parts.guestPageUrl !== null && button(parts.guestPageUrl, messages.mail.openPage, colour),
    parts.steps.length > 0 && stepList(parts, colour),
    wifiBox(parts, qr),
    slipText !== '' && paragraphs(slipText),
    paragraphs(closing),
  ];
  const footer = messages.mail.sentBy(siteName);
  return toMailPage({ language, subject, colour, head: head(parts, logo), sections, footer });
}

/** The logo, the name of the site, or both. The logo is on white: it may be dark and transparent. */
function head({ siteName, logoHasName }: MailParts, logo: MailImage | null): Markup {
  const name = markup`<p class="ink" style="${STRONG};font-size:18px">${siteName}</p>`;
  if (!logo) return name;
  const { width, height } = imageSizeOf(logo.bytes);
  const scale = Math.min(LOGO_BOX.width / width, LOGO_BOX.height / height);
  const size = [width, height].map((side) => Math.max(1, Math.round(side * scale)));
  return markup`<img class="logo" src="cid:${logo.cid}" width="${size[0] ?? 1}" height="${size[1] ?? 1}" alt="${logoHasName ? siteName : ''}" style="display:block;max-width:100%;border:0;border-radius:6px;${STRONG};font-size:18px">${!logoHasName && markup`<div style="height:12px;font-size:0;line-height:12px">&nbsp;</div>${name}`}`;
}

function demoNote({ messages }: MailParts): Markup {
  return markup`<p style="${STRONG};display:inline-block;padding:6px 12px;border-radius:8px;background-color:#fcefd9;color:#8a4b00">${messages.demoBadge}</p>`;
}

function codeBox({ code, validity, messages }: MailParts): Markup {
  const [first = '', ...others] = validity;
  return markup`<table role="presentation" class="wash" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:#f2f4f7;border:1px solid #d5d9e0;border-radius:12px"><tr><td align="center" style="padding:20px 12px;text-align:center;${BREAKS}">
<p class="soft" style="${SMALL}">${messages.guestPage.code}</p>
<p class="ink" dir="ltr" style="${CODE}">${code}</p>
<p class="ink" style="${STRONG}">${first}</p>${others.map((line) => markup`<p class="soft" style="${SMALL};margin-top:2px">${line}</p>`)}
</td></tr></table>`;
}

function stepList({ steps, messages }: MailParts, colour: string): Markup {
  const number = `width:28px;height:28px;${SANS};font-size:14px;line-height:28px;font-weight:bold;text-align:center;border-radius:14px;background-color:${colour};color:${inkOn(colour)}`;
  return markup`<h2 class="ink" style="${H2}">${messages.guestPage.steps}</h2>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="table-layout:fixed">${steps.map(
    (step, index) =>
      markup`<tr><td width="40" valign="top" style="width:40px;padding-bottom:8px"><div style="${number}">${index + 1}</div></td><td class="ink" valign="top" style="${BODY};padding:2px 0 10px;${BREAKS}">${step}</td></tr>`,
  )}</table>`;
}

/** What a guest needs to join the Wi-Fi: its name, its password and the QR code. */
function wifiBox(parts: MailParts, qr: MailImage): Markup {
  const facts = wifiFacts(parts).map(
    ({ label, value, font }) =>
      markup`<p class="soft" style="${SMALL}">${label}</p><p class="ink" style="${STRONG};${font};margin-bottom:12px">${value}</p>`,
  );
  return markup`<table role="presentation" class="line" width="100%" cellpadding="0" cellspacing="0" border="0" style="table-layout:fixed;border:1px solid #d5d9e0;border-radius:12px"><tr><td style="padding:16px;${BREAKS}">${facts}${qrFigure(parts, qr)}</td></tr></table>`;
}

function wifiFacts({
  wifi,
  messages: { onPaper },
}: MailParts): { label: string; value: string; font: string }[] {
  if (!wifi) return [];
  const name = { label: onPaper.wifi, value: wifi.name, font: SANS };
  if (wifi.password === null) return [name];
  return [name, { label: onPaper.password, value: wifi.password, font: MONO }];
}

/** The image has a quiet zone of its own, so that cameras can read it in a dark theme. */
function qrFigure({ qr: { label, hint }, messages }: MailParts, { cid }: MailImage): Markup {
  return markup`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="table-layout:fixed"><tr><td width="${QR_SIZE + QR_GAP}" valign="middle" style="width:${QR_SIZE + QR_GAP}px"><img src="cid:${cid}" width="${QR_SIZE}" height="${QR_SIZE}" alt="${messages.mail.qr(label)}" style="display:block;border:0;border-radius:8px;background-color:#ffffff;${SMALL}"></td><td valign="middle" style="${BREAKS}"><p class="ink" style="${STRONG}">${label}</p><p class="soft" style="${SMALL};margin-top:2px">${hint}</p></td></tr></table>`;
}
