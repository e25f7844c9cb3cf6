// What all mails have in common as HTML: the page, its styles, paragraphs and buttons. Mail programs know little CSS:
// tables make the layout and styles are inline. Only dark themes and phones need a style sheet. Nothing is loaded from
// elsewhere.

import type { Language } from '../../../platform/text/language.ts';
import { Markup, markup } from './markup.ts';

export const SANS = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
export const BODY = `margin:0;${SANS};font-size:16px;line-height:24px;color:#1a1e26`;
export const STRONG = `${BODY};font-weight:bold`;
export const SMALL = `margin:0;${SANS};font-size:14px;line-height:20px;color:#535c6b`;
export const H1 = `margin:4px 0 0;${SANS};font-size:26px;line-height:32px;font-weight:bold;color:#1a1e26`;
/** A name may be a single long word. */
export const BREAKS = 'overflow-wrap:anywhere;word-break:break-word';

export const DEFAULT_COLOUR = '#1f5fbf';

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

interface MailPage {
  language: Language;
  subject: string;
  colour: string;
  head: Markup;
  /** Sections that are no markup are left out. */
  sections: (Markup | false | null)[];
  footer: string;
}

export function toMailPage({ language, subject, colour, head, sections, footer }: MailPage): string {
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
<tr><td class="pad line" style="padding:24px 40px;border-bottom:1px solid #d5d9e0;${BREAKS}">${head}</td></tr>
${sections.filter((section) => section instanceof Markup).map(row)}
<tr><td height="32" style="height:32px;font-size:0;line-height:32px">&nbsp;</td></tr>
</table>
<p class="soft" style="${SMALL};max-width:600px;padding:16px 12px 0;text-align:center">${footer}</p>
${OUTLOOK_END}
</td></tr></table></body></html>`.html;
}

function row(section: Markup): Markup {
  return markup`<tr><td class="pad" style="padding:24px 40px 0;${BREAKS}">${section}</td></tr>\n`;
}

/** An empty line begins a paragraph. */
export function paragraphs(text: string): Markup {
  const blocks = text.trim().split(/\n\s*\n/);
  const lines = (block: string) =>
    block.split('\n').map((line, index) => (index === 0 ? markup`${line}` : markup`<br>${line}`));
  return markup`${blocks.map((block, index) => markup`<p class="ink" style="${BODY}${index > 0 && ';margin-top:12px'}">${lines(block)}</p>`)}`;
}

export function button(url: string, label: string, colour: string): Markup {
  const ink = inkOn(colour);
  const edge = ink === WHITE ? colour : '#7b8494';
  return markup`<table role="presentation" cellpadding="0" cellspacing="0" border="0" align="center" style="margin:0 auto"><tr><td align="center" bgcolor="${colour}" style="border-radius:8px;background-color:${colour};border:1px solid ${edge}"><a href="${url}" style="${STRONG};display:inline-block;padding:12px 24px;color:${ink};text-decoration:none">${label}</a></td></tr></table>`;
}

const WHITE = '#ffffff';
const BLACK = '#000000';

/** Black or white, whichever is easier to read on the colour. The formula for its lightness is that of WCAG. */
export function inkOn(colour: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? BLACK : WHITE;
}
