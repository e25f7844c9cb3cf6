// Renders the mail that brings a voucher to its guest, as HTML and as plain text. Both contain the same: many mail
// programs show no images, and some show no HTML.

import type { Image } from '../../../kernel/settings/settings.ts';
import { makeQrPng } from '../../../platform/drawing/qr-png.ts';
import type { MailImage, RenderedMail, VoucherMailFacts } from '../mail-content.ts';
import { toMailHtml } from './mail-html.ts';
import { toMailParts } from './mail-parts.ts';
import { toMailText } from './mail-text.ts';

const LOGO_CID = 'logo@gastpass';
const QR_CID = 'qr@gastpass';

export function renderVoucherMail(facts: VoucherMailFacts): RenderedMail {
  const parts = toMailParts(facts);
  const qrText = facts.wifi?.qrText ?? facts.code.replaceAll('-', '');
  const qr = { cid: QR_CID, name: 'qr.png', type: 'image/png', bytes: makeQrPng(qrText) };
  const logo = facts.logo && toLogo(facts.logo);
  return {
    subject: parts.subject,
    text: toMailText(parts),
    html: toMailHtml(parts, { qr, logo }),
    images: [...(logo ? [logo] : []), qr],
  };
}

function toLogo({ type, bytes }: Image): MailImage {
  return { cid: LOGO_CID, name: type === 'image/png' ? 'logo.png' : 'logo.jpg', type, bytes };
}
