// The mail with a voucher as HTML. Mail programs know little CSS: tables make the layout and styles are inline. Only
// dark themes and phones need a style sheet. Nothing is loaded from elsewhere.

import type { MailImage } from '../../../domain/mail/mail-content.ts';
import { imageSizeOf } from '../../../print/image-size.ts';
import type { MailParts } from './mail-parts.ts';
import { Markup, markup } from './markup.ts';

interface Images {
  qr: MailImage;
  logo: MailImage | null;
}

const SANS = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const MONO = "font-family:ui-monospace,Menlo,Consolas,'Courier New',monospace";
const BODY = `margin:0;${SANS};font-size:16px;line-height:24px;color:#1a1e26`;
const STRONG = `${BODY};font-weight:bold`;
const SMALL = `margin:0;${SANS};font-size:14px;line-height:20px;color:#535c6b`;
const H1 = `margin:4px 0 0;${SANS};font-size:26px;line-height:32px;font-weight:bold;color:#1a1e26`;
const H2 = `margin:0 0 12px;${SANS};font-size:18px;line-height:24px;font-weight:bold;color:#1a1e26`;
/** A tap or a click selects the whole code. */
const CODE = `margin:4px 0 8px;${MONO};font-size:32px;line-height:40px;font-weight:bold;color:#1a1e26;-webkit-user-select:all;user-select:all`;
/** A name may be a single long word. */
const BREAKS = 'overflow-wrap:anywhere;word-break:break-word';

const DEFAULT_COLOUR = '#1f5fbf';
const LOGO_BOX = { width: 260, height: 80 };
const QR_SIZE = 136;
const QR_GAP = 16;

const STYLE_SHEET = new Markup(`<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
a[x-apple-data-detectors] { color: inherit !important; text-decoration: none !important; }
@media (max-width: 480px) { .pad { padding-left: 24px !important; padding-right: 24px !important; } }
@media (prefers-color-scheme: dark) {
.paper { background-color: #14171c !important; }
.card { background-color: #1c2027 !important; }
.wash { background-color: #262b34 !important; border-color: #363d49 !important; }
.line { border-color: #363d49 !important; }
.ink { color: #eceff4 !important; }
.soft { color: #a9b2c1 !important; }
.logo { background-color: #ffffff !important; border: 8px solid #ffffff !important; }
}
</style>`);

/** Outlook on Windows knows no `max-width`. */
const OUTLOOK_START = new Markup(
  '<!--[if mso]><table role="presentation" width="600" align="center" cellpadding="0" cellspacing="0"><tr><td><![endif]-->',
);
const OUTLOOK_END = new Markup('<!--[if mso]></td></tr></table><![endif]-->');

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
  return markup`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<title>${subject}</title>${STYLE_SHEET}</head>
<body class="paper" style="margin:0;padding:0;background-color:#f2f4f7">
<table role="presentation" class="paper" width="100%" cellpadding="0" cellspacing="0" border="0" style="table-layout:fixed;background-color:#f2f4f7"><tr><td align="center" style="padding:24px 12px;${BREAKS}">
${OUTLOOK_START}
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px;table-layout:fixed;background-color:#ffffff;border-radius:12px;overflow:hidden;text-align:left">
<tr><td height="8" bgcolor="${colour}" style="height:8px;font-size:0;line-height:8px;background-color:${colour}">&nbsp;</td></tr>
<tr><td class="pad line" style="padding:24px 40px;border-bottom:1px solid #d5d9e0;${BREAKS}">${head(parts, logo)}</td></tr>
${sections.filter((section) => section !== false && section !== null).map(row)}
<tr><td height="32" style="height:32px;font-size:0;line-height:32px">&nbsp;</td></tr>
</table>
<p class="soft" style="${SMALL};max-width:600px;padding:16px 12px 0;text-align:center">${messages.mail.sentBy(siteName)}</p>
${OUTLOOK_END}
</td></tr></table></body></html>`.html;
}

function row(section: Markup): Markup {
  return markup`<tr><td class="pad" style="padding:24px 40px 0;${BREAKS}">${section}</td></tr>\n`;
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

/** An empty line begins a paragraph. */
function paragraphs(text: string): Markup {
  const blocks = text.trim().split(/\n\s*\n/);
  const lines = (block: string) =>
    block.split('\n').map((line, index) => (index === 0 ? markup`${line}` : markup`<br>${line}`));
  return markup`${blocks.map((block, index) => markup`<p class="ink" style="${BODY}${index > 0 && ';margin-top:12px'}">${lines(block)}</p>`)}`;
}

function codeBox({ code, validity, messages }: MailParts): Markup {
  const [first = '', ...others] = validity;
  return markup`<table role="presentation" class="wash" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:#f2f4f7;border:1px solid #d5d9e0;border-radius:12px"><tr><td align="center" style="padding:20px 12px;text-align:center;${BREAKS}">
<p class="soft" style="${SMALL}">${messages.guestPage.code}</p>
<p class="ink" dir="ltr" style="${CODE}">${code}</p>
<p class="ink" style="${STRONG}">${first}</p>${others.map((line) => markup`<p class="soft" style="${SMALL};margin-top:2px">${line}</p>`)}
</td></tr></table>`;
}

function button(url: string, label: string, colour: string): Markup {
  const ink = inkOn(colour);
  const edge = ink === WHITE ? colour : '#7b8494';
  return markup`<table role="presentation" cellpadding="0" cellspacing="0" border="0" align="center" style="margin:0 auto"><tr><td align="center" bgcolor="${colour}" style="border-radius:8px;background-color:${colour};border:1px solid ${edge}"><a href="${url}" style="${STRONG};display:inline-block;padding:12px 24px;color:${ink};text-decoration:none">${label}</a></td></tr></table>`;
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

const WHITE = '#ffffff';
const BLACK = '#000000';

/** Black or white, whichever is easier to read on the colour. The formula for its lightness is that of WCAG. */
function inkOn(colour: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? BLACK : WHITE;
}
