// Writes the mail of a voucher, for sending and for previews. The modules that render it are loaded with the first
// mail.

import type { MailSources } from '../content/voucher-facts.ts';
import type { WriteVoucherMail } from '../mail-content.ts';

export function makeWriteVoucherMail(sources: MailSources): WriteVoucherMail {
  return async (voucher, wanted) => {
    const { findVoucherMailFacts } = await import('../content/voucher-facts.ts');
    const { renderVoucherMail } = await import('../content/voucher-mail.ts');
    const facts = await findVoucherMailFacts(voucher, wanted, sources);
    return { language: facts.language, content: renderVoucherMail(facts) };
  };
}
