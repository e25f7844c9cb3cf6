// Tests sending a voucher that exists, and sending a mail again: never for a voucher that has ended.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { userActor } from '../../kernel/audit/actor.ts';
import { asMessageId, asSiteId, asVoucherId } from '../../kernel/ids.ts';
import { makeOrderLimit } from '../../kernel/messages/order-limit.ts';
import type { FoundVoucher } from '../../kernel/vouchers/voucher-search.ts';
import type { LoggedMail, MailState, MailStore } from './mail.ts';
import type { MailSetup } from './mail-server.ts';
import { makeMailVoucher } from './mail-voucher.ts';
import { makeOrderMail } from './order-mail.ts';
import { makeResendMail } from './resend-mail.ts';

const siteIds = [asSiteId(1)];
const by = { actor: userActor({ id: 1, name: 'Anna' }), siteIds };
const MAIL_ID = asMessageId(7);
const VOUCHER_ID = asVoucherId(5);
const UNUSED = {
  usedCount: 0,
  maxUses: 1,
  revokedAtS: null,
  endedAtS: null,
  endsAtS: null,
  firstUsedAtS: null,
};
const SETUP: MailSetup = {
  source: 'browser',
  server: {
    host: 'mail.example.org',
    port: 587,
    tls: 'required',
    from: { address: 'wlan@hotel.example' },
    perHour: null,
  },
};

function setup({
  state = 'sent' as MailState,
  voucher = UNUSED as Partial<FoundVoucher>,
  server = SETUP as MailSetup | null,
  ordered = 0,
} = {}) {
  const added: Parameters<MailStore['add']>[0][] = [];
  const retried: number[] = [];
  const mails: Pick<MailStore, 'add' | 'search' | 'findAddress' | 'retry'> = {
    async add(mail) {
      added.push(mail);
      return asMessageId(8);
    },
    search: async ({ id, siteIds: allowed }) =>
      id === MAIL_ID && allowed === siteIds
        ? [{ id, voucherId: VOUCHER_ID, state, language: 'en' } as LoggedMail]
        : [],
    findAddress: async () => 'gast@example.org',
    async retry(id) {
      retried.push(id);
      return state === 'failed' || state === 'waiting';
    },
  };
  const counts = { countOrdered: async () => ordered, findOrderedAt: async () => undefined };
  const clock = { nowMs: () => 1_000_000 };
  const finder = {
    search: async ({ id }: { id?: number }) => ({
      vouchers: id === VOUCHER_ID ? [voucher as FoundVoucher] : [],
    }),
  };
  const mailServer = { find: async () => server ?? undefined };
  const orderMail = makeOrderMail({ mailServer, orderLimit: makeOrderLimit({ counts, clock }), clock });
  const mailVoucher = makeMailVoucher({ finder, mails, orderMail, clock });
  return { mailVoucher, resendMail: makeResendMail({ finder, mails, mailVoucher, clock }), added, retried };
}

const kindOf = (result: { ok: true } | { ok: false; problem: { kind: string } }) =>
  result.ok ? 'ok' : result.problem.kind;

test('a voucher is sent with a mail that says who ordered it and keeps the address apart', async () => {
  const { mailVoucher, added } = setup();
  const mail = { address: 'gast@example.org', language: 'de' } as const;
  assert.deepEqual(await mailVoucher(VOUCHER_ID, mail, by), { ok: true, value: 8 });
  const [sent] = added;
  assert.partialDeepStrictEqual(sent, {
    voucherId: VOUCHER_ID,
    kind: 'voucher',
    payload: { domain: 'hotel.example', language: 'de' },
    sealedPayload: { address: 'gast@example.org' },
    orderedBy: `user ${by.actor.id}`,
  });
  assert.ok(sent && sent.recipientId >= 1 && sent.recipientId <= 4);
});

test('a voucher is not sent if it has ended, if e-mail is not set up or if too many mails were ordered', async () => {
  const cases: [parts: Parameters<typeof setup>[0], expected: string][] = [
    [{ voucher: { ...UNUSED, revokedAtS: 1 } }, 'voucher-ended'],
    [{ voucher: { ...UNUSED, endedAtS: 1 } }, 'voucher-ended'],
    [{ voucher: { ...UNUSED, endsAtS: 1_000 } }, 'voucher-ended'],
    [{ voucher: { ...UNUSED, endsAtS: 1_001 } }, 'ok'],
    [{ voucher: { ...UNUSED, usedCount: 1 } }, 'ok'],
    [{ server: null }, 'mail-not-set-up'],
    [{ ordered: 500 }, 'too-many-mails'],
  ];
  for (const [parts, expected] of cases) {
    const { mailVoucher, resendMail, added, retried } = setup(parts);
    assert.equal(kindOf(await mailVoucher(VOUCHER_ID, { address: 'g@example.org' }, by)), expected);
    assert.equal(kindOf(await resendMail(MAIL_ID, by)), expected);
    assert.deepEqual([added.length, retried.length], expected === 'ok' ? [2, 0] : [0, 0]);
  }
  const { mailVoucher, resendMail } = setup();
  assert.equal(
    kindOf(await mailVoucher(asVoucherId(6), { address: 'g@example.org' }, by)),
    'voucher-not-found',
  );
  assert.equal(kindOf(await resendMail(asMessageId(6), by)), 'mail-not-found');
  assert.equal(kindOf(await resendMail(MAIL_ID, { ...by, siteIds: [] })), 'mail-not-found');
});

test('a mail that was not sent is repeated, a sent one gets a successor, and others are refused', async () => {
  for (const state of ['failed', 'waiting'] as const) {
    const { resendMail, added, retried } = setup({ state });
    assert.deepEqual(await resendMail(MAIL_ID, by), { ok: true, value: MAIL_ID });
    assert.deepEqual([added, retried], [[], [MAIL_ID]]);
  }
  const sent = setup({ state: 'sent' });
  assert.deepEqual(await sent.resendMail(MAIL_ID, by), { ok: true, value: 8 });
  assert.partialDeepStrictEqual(sent.added, [
    { payload: { domain: 'hotel.example', language: 'en' }, sealedPayload: { address: 'gast@example.org' } },
  ]);
  assert.deepEqual(sent.retried, []);
  for (const state of ['held', 'cancelled'] as const)
    assert.equal(kindOf(await setup({ state }).resendMail(MAIL_ID, by)), 'mail-not-resendable');
});
