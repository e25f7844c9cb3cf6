// A service that sends mails with shortened pauses, for tests against mail servers of all kinds.

import assert from 'node:assert/strict';
import type { LoggedMail } from '../../../src/features/mail/mail.ts';
import type { MailServer } from '../../../src/features/mail/mail-server.ts';
import { asVoucherId } from '../../../src/kernel/ids.ts';
import { systemClock } from '../../../src/platform/time/clock.ts';
import { TESTER } from '../../support/actors.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { until } from '../../support/until.ts';

/** Scales a minute of waiting for a reply to 3 s, and all other times alike. */
const PACE = 0.05;

export interface Guest {
  address: string;
  code: string;
  /** The mail as the service shows it. */
  find(): Promise<LoggedMail>;
}

export interface MailingService extends Pick<TestService, 'stop' | 'beside' | 'logLines'> {
  /** As an administrator sets up e-mail in the browser. */
  saveServer(server: MailServer): Promise<void>;
  /** Creates a voucher that is sent to this address. */
  order(address: string): Promise<Guest>;
}

export async function startMailingService(environment: Record<string, string> = {}): Promise<MailingService> {
  // Pauses end by themselves only with a clock that moves.
  const clock = { ...systemClock, advance: () => assert.fail('this clock moves by itself') };
  const service = await startTestService({ pace: PACE, clock, environment });
  const { beside } = service;
  return {
    ...service,
    saveServer: (server) => beside.mailServer.save(server, { actor: TESTER, atMs: clock.nowMs() }),
    async order(address) {
      const body = { site_id: 1, name: 'Zimmer 4' };
      const { status, json } = await service.call('POST', 'vouchers.php', {
        body,
        headers: { 'guest-email': address, 'guest-language': 'de' },
      });
      assert.equal(status, 201, JSON.stringify(json));
      const code = String(json.code).replaceAll('-', '');
      const { json: voucher } = await service.call('GET', `v1/vouchers/by-code/1/${code}`);
      return {
        address,
        code,
        async find() {
          const [mail] = await beside.mails.search({ voucherId: asVoucherId(Number(voucher.id)), limit: 1 });
          assert.ok(mail, 'the mail was not written');
          return mail;
        },
      };
    },
  };
}

export async function untilState(guests: Guest[], state: LoggedMail['state']): Promise<void> {
  let last: LoggedMail | undefined;
  for (const guest of guests)
    await until(
      async () => {
        last = await guest.find();
        return last.state === state;
      },
      { otherwise: () => JSON.stringify(last) },
    );
}
