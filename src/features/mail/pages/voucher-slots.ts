// What e-mail adds to the pages of vouchers and batches: the fields for an address, buttons, and what became of mails.

import type { PageContext } from '../../../kernel/pages/context.ts';
import { readCookie } from '../../../kernel/pages/cookies.ts';
import { note } from '../../../kernel/pages/message.ts';
import { rememberSwitch } from '../../../kernel/vouchers/pages/device-choices.ts';
import { withFrom } from '../../../kernel/vouchers/pages/list-link.ts';
import type { VoucherSlots } from '../../../kernel/vouchers/pages/voucher-slots.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { icon, iconThatSays } from '../../../platform/pages/ui/icons.ts';
import { MAIL_TEXTS } from '../mail-texts.ts';
import { mailFields, readMailFields, sealMail, typedMail } from './mail-fields.ts';
import { mailedLine, sayMail } from './mail-state.ts';
import { canBeMailed, mailCard, newestMailsOf } from './mail-voucher.ts';
import { mailsOfBatch } from './mails-of-batch.ts';

/** If this cookie is set, the last vouchers of this device were sent by e-mail. */
const MAIL_COOKIE = 'mails-lately';

export const mailVoucherSlots: VoucherSlots = {
  /** Mails that were not delivered. The note stays until somebody has read them. */
  async homeNote(context, sites) {
    const text = MAIL_TEXTS[context.language];
    const count = await context.app.mails.countUnread(sites.map(({ id }) => id));
    return (
      count > 0 && note('error', html`${text.unread(count)} <a href="/mails?state=unread">${text.look}</a>`)
    );
  },

  async formFields(context, { issues }) {
    return { extras: (await canMail(context)) && mailDetails(context, issues.email) };
  },

  async readForm(context) {
    const mail = readMailFields(context);
    if (mail === 'wrong') return { order: {}, issues: { email: MAIL_TEXTS[context.language].addressWrong } };
    const remember = () => rememberSwitch(context, MAIL_COOKIE, mail !== undefined);
    return { order: mail ? { mail } : {}, remember };
  },

  keptInQuery(context, order) {
    const { address = '', language = '' } = order?.mail ?? {};
    const sealed = sealMail(context, order ? { email: address, language } : typedMail(context));
    return sealed ? { mail: sealed } : {};
  },

  async ofList(context, vouchers) {
    const text = MAIL_TEXTS[context.language];
    const isOffered = await canMail(context);
    const newest = await context.app.mails.newestOf(vouchers.map(({ id }) => id));
    return {
      link: (isOffered || newest.size > 0) && html`<a class="button" href="/mails">${text.title}</a>`,
      marks: {
        icon: 'mail',
        of(id) {
          const mail = newest.get(id);
          return mail && html` ${iconThatSays('mail', sayMail(context, mail), mail.isUnread)}`;
        },
      },
      menuItem: ({ id }, link) =>
        isOffered && html`<a href="${link(`/vouchers/${id}/mail`)}">${text.send}</a>`,
    };
  },

  async ofVoucher(context, voucher) {
    const canBeSent = await canBeMailed(context, voucher);
    const mails = await newestMailsOf(context, voucher);
    const [mail] = mails;
    return {
      line: mail && (await mailedLine(context, mail)),
      button: canBeSent && !mail && sendButton(context, withFrom(context, `/vouchers/${voucher.id}/mail`)),
      card: await mailCard(context, voucher, { mails, canBeSent }),
    };
  },

  async ofBatch(context, batch) {
    const [first] = batch.vouchers;
    const line = await mailsOfBatch(context, batch);
    const isOffered = batch.wanted === 1 && first && !line && (await canMail(context));
    return {
      line,
      button: isOffered && sendButton(context, withFrom(context, `/vouchers/${first.id}/mail`)),
    };
  },
};

/** True if e-mail is set up. */
async function canMail({ app }: PageContext): Promise<boolean> {
  return (await app.mailServer.find()) !== undefined;
}

function sendButton({ language }: PageContext, href: string): Html {
  return html`<a class="button" href="${href}">${icon('mail')}${MAIL_TEXTS[language].send}</a>`;
}

/** Closed, so that the button stays in view on a phone. It is open on devices that send vouchers by e-mail. */
function mailDetails(context: PageContext, error: string | undefined): Html {
  const text = MAIL_TEXTS[context.language];
  const typed = typedMail(context);
  const isOpen = typed.email !== '' || readCookie(context, MAIL_COOKIE) !== undefined;
  const hint = html`<span class="hint" data-many="${text.perVouchers('#')}">${text.perVoucher}</span>`;
  return html`<details${isOpen && html` open`}><summary>${text.one}</summary>${mailFields(context, { ...typed, error, hint })}</details>`;
}
