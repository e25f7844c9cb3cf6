// The channel of mails: sends vouchers to their guests, and mails to users. The voucher is read when its mail is sent,
// so that the queue never contains a code, and a voucher that has ended meanwhile is not sent.

import type { SiteId, VoucherId } from '../../../kernel/ids.ts';
import type { Installation } from '../../../kernel/installation.ts';
import type { Channel } from '../../../kernel/messages/channel.ts';
import type { ChannelKind, ChannelParts } from '../../../kernel/messages/channel-kind.ts';
import { makeFindVoucher, WITHOUT_VOUCHER } from '../../../kernel/messages/find-voucher.ts';
import { type AttemptOutcome, type Message, NOTHING_SENT } from '../../../kernel/messages/message.ts';
import { formatCode } from '../../../kernel/vouchers/voucher.ts';
import { MASK } from '../../../platform/secrets/mask-secrets.ts';
import { toOneLine } from '../../../platform/text/one-line.ts';
import { DatabaseUnavailable } from '../../../platform/values/database-unavailable.ts';
import { GUEST_PATH } from '../../guest-pages/guest-link.ts';
import { isAccountMailKind } from '../account-mail.ts';
import { MAIL_CHANNEL, MAIL_TRIES, toMailMessageId } from '../mail.ts';
import { readMailFacts, readSealedMailFacts } from '../mail-facts.ts';
import type { MailServer } from '../mail-server.ts';
import type { OutgoingMail } from '../outgoing-mail.ts';
import { makeComposeAccountMail } from './account-mails.ts';
import { concernsOneMail, toOutcome } from './outcome.ts';
import { makeSmtp } from './smtp.ts';
import { makeWriteVoucherMail } from './write-voucher-mail.ts';

export const mailChannel: ChannelKind = { rules: MAIL_CHANNEL, tries: MAIL_TRIES, open: openMailChannel };

/** If all mails of this hour are sent, the next slot is asked for after this time at the latest. */
const MAX_WAIT_MS = 60_000;

const LINK_ENDED: AttemptOutcome = { ...NOTHING_SENT, result: 'cancelled', error: 'the link has ended' };
const NO_SERVER: AttemptOutcome = {
  ...NOTHING_SENT,
  result: 'later',
  pauses: 'recipient',
  retryAfterMs: null,
  isFaultOfRecipient: true,
  error: 'e-mail is not set up',
};
const UNREADABLE: AttemptOutcome = {
  ...NOTHING_SENT,
  result: 'never',
  error: 'the address of the mail cannot be read',
};

function notWritten(error: unknown): AttemptOutcome {
  const why = toOneLine(error instanceof Error ? error.message : String(error));
  return {
    ...NOTHING_SENT,
    result: 'later',
    pauses: 'message',
    retryAfterMs: null,
    error: `the mail could not be written: ${why}`,
  };
}

function openMailChannel(installation: Installation, { timeZone, pace }: ChannelParts): Channel {
  const { mailServer, mails, sites, slips, images, mailTexts, settings, guestLinks } = installation;
  const { invitations, readPublicUrl, clock } = installation;
  const smtp = makeSmtp({ pace });
  const writeVoucherMail = makeWriteVoucherMail({ slips, images, mailTexts, settings, timeZone, clock });
  const composeAccountMail = makeComposeAccountMail({
    ...{ invitations, settings, readPublicUrl, timeZone, clock },
  });
  const findVoucherOf = makeFindVoucher(installation);
  const takeSlot = makeTakeSlot({ mails, pace });
  const takeSlotForUser = makeTakeSlot({ mails, pace });

  return {
    ...MAIL_CHANNEL,
    mayRepeat: true,

    async prepare(message) {
      const setup = await mailServer.find();
      if (!setup) return undefined;
      const { perHour } = setup.server;
      const mayBeSent = perHour === null || (await takeSlotFor(message, perHour));
      return mayBeSent ? { ...message, merged: [] } : undefined;
    },

    async send(message, signal) {
      const setup = await mailServer.find();
      if (!setup) return NO_SERVER;
      try {
        return await (isAccountMailKind(message.kind) ? sendToUser : sendToGuest)(
          setup.server,
          message,
          signal,
        );
      } catch (error) {
        if (error instanceof DatabaseUnavailable) throw error;
        // Otherwise a mail that cannot be written would hold up the mails behind it.
        return notWritten(error);
      }
    },
  };

  /** Keeps one in a hundred mails per hour for users, so that a password link does not wait for an hour. */
  async function takeSlotFor(message: Message, perHour: number): Promise<boolean> {
    if (isAccountMailKind(message.kind)) return takeSlotForUser(perHour);
    // A mail that will not be sent needs no slot.
    if (typeof (await findVoucher(message)) === 'string') return true;
    return takeSlot(perHour - Math.floor(perHour / 100));
  }

  async function sendToUser(
    server: MailServer,
    message: Message,
    signal: AbortSignal,
  ): Promise<AttemptOutcome> {
    const mail = await composeAccountMail(message);
    if (mail === 'void') return LINK_ENDED;
    return mail === 'unreadable'
      ? UNREADABLE
      : sendMail(server, { mail, failures: message.failures }, signal);
  }

  async function sendMail(
    server: MailServer,
    { mail, failures }: { mail: OutgoingMail } & Pick<Message, 'failures'>,
    signal: AbortSignal,
  ): Promise<AttemptOutcome> {
    const startMs = performance.now();
    const result = await smtp.send(server, mail, signal);
    // The server works again, although it refused this mail. If the mail is sent, the queue notes that.
    if (failures > 0 && !result.ok && concernsOneMail(result)) await mails.endPause();
    return toOutcome(result, performance.now() - startMs);
  }

  async function findVoucher({ id, voucherId }: Message) {
    const [mail] = await mails.search({ id, limit: 1 });
    return mail?.siteId && voucherId !== null ? findVoucherOf(mail.siteId, voucherId) : 'ended';
  }

  async function sendToGuest(
    server: MailServer,
    message: Message,
    signal: AbortSignal,
  ): Promise<AttemptOutcome> {
    const voucher = await findVoucher(message);
    if (typeof voucher === 'string') return WITHOUT_VOUCHER[voucher];
    const facts = readMailFacts(message.payload);
    const to = readSealedMailFacts(message.sealedPayload)?.address;
    if (!facts || to === undefined) return UNREADABLE;
    const { site, guestPageUrl } = await findSite(voucher);
    const written = await writeVoucherMail(voucher, { language: facts.language, guestPageUrl });
    const mail = {
      ...written,
      messageId: toMailMessageId(message.eventId, facts),
      dateMs: clock.nowMs(),
      to,
      ...(site?.replyTo && { replyTo: site.replyTo }),
    };
    return withoutCode(await sendMail(server, { mail, failures: message.failures }, signal), voucher.code);
  }

  /** The guest page is mentioned if the voucher has a link already, and the address of the service is known. */
  async function findSite({ id, siteId }: { id: VoucherId; siteId: SiteId }) {
    const site = await sites.find(siteId);
    const publicUrl = site?.hasGuestPage ? await readPublicUrl() : undefined;
    const link = publicUrl === undefined ? undefined : await guestLinks.find(id);
    return { site, guestPageUrl: link ? `${publicUrl?.url}${GUEST_PATH}/${link.token}` : null };
  }
}

/** Takes a slot unless all mails of this hour are sent. After that, the database is not asked again for a while. */
function makeTakeSlot({ mails, pace }: Pick<Installation, 'mails'> & Pick<ChannelParts, 'pace'>) {
  let untilMs = 0;
  return async function takeSlot(perHour: number): Promise<boolean> {
    if (performance.now() < untilMs) return false;
    const waitMs = await mails.takeSlot(perHour);
    untilMs = performance.now() + Math.min(waitMs, MAX_WAIT_MS * pace);
    return waitMs === 0;
  };
}

/** A server may quote the mail when it refuses it. */
function withoutCode(outcome: AttemptOutcome, code: string): AttemptOutcome {
  const { error } = outcome;
  if (error === null) return outcome;
  return { ...outcome, error: error.replaceAll(code, MASK).replaceAll(formatCode(code), MASK) };
}
