// Sets up e-mail in a service under test. Nobody listens at this address, so mails wait.

import type { MailServer } from '../../src/features/mail/mail-server.ts';
import { TESTER } from './actors.ts';
import type { TestService } from './test-service.ts';

export function setupMail(
  { beside, clock }: Pick<TestService, 'beside' | 'clock'>,
  server: Partial<MailServer> = {},
): Promise<void> {
  const nowhere = { host: '127.0.0.1', port: 9, tls: 'off', perHour: null } as const;
  const from = { name: 'Hotel Seeblick', address: 'wlan@hotel.example' };
  return beside.mailServer.save({ ...nowhere, from, ...server }, { actor: TESTER, atMs: clock.nowMs() });
}

/** The id of the newest mail. */
export function newestMailOf({ rows }: Pick<TestService, 'rows'>): number {
  return Number(rows("select max(id) as id from messages where channel = 'mail'")[0]?.id);
}

/** As if the mail server had refused the mail for good. */
export function failMail(
  { change, clock }: Pick<TestService, 'change' | 'clock'>,
  id: number,
  words: string,
): void {
  const nowMs = clock.nowMs();
  change(`update messages set state = 'failed', attempts = 1, finished_at_ms = ${nowMs} where id = ${id}`);
  change(
    'insert into message_attempts (message_id, at_ms, duration_ms, status, error, answer) values (?, ?, 41, 550, ?, null)',
    id,
    nowMs,
    words,
  );
}
