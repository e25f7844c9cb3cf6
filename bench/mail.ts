// How much a mail server that is dead delays the creation of vouchers that are mailed, and how much e-mail delays the
// creation of other vouchers. All services run at the same time and are loaded in turns.

import { setTimeout as sleep } from 'node:timers/promises';
import { startMailServer } from '../tests/support/mail/mail-server.ts';
import { timeCreations } from './creation-times.ts';
import { compareTimes, measureRounds, ROUNDS, type Side } from './rounds.ts';
import type { Row } from './row.ts';
import { startBlackHole } from './start-black-hole.ts';
import { createLimitedKey, type RunningService, startServiceProcess } from './start-service.ts';

/** One API key may order 500 mails in an hour. */
const PER_ROUND = 400;
/** Nothing listens here. */
const REFUSING_PORT = 9;
const GUEST = { 'guest-email': 'anna@example.org' };

const startSending = (port: number) =>
  startServiceProcess(undefined, {
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    SMTP_TLS: 'off',
    MAIL_FROM: 'wifi@example.org',
  });

/** Each round needs a key of its own. Keys of one name would share the limit of mails. */
function makeMailing(service: RunningService, whenSent: () => Promise<void>): Side {
  const keys = Array.from({ length: ROUNDS + 1 }, (_, round) => createLimitedKey(service, `round ${round}`));
  return async () => {
    const keyText = keys.pop();
    if (!keyText) throw new Error('there are more rounds than keys');
    const times = await timeCreations(service, { count: PER_ROUND, keyText, headers: GUEST });
    await whenSent();
    return times;
  };
}

export async function benchMail(): Promise<Row[]> {
  const mailServer = await startMailServer();
  const blackHole = await startBlackHole();
  const services = await Promise.all([
    startSending(mailServer.port),
    startSending(REFUSING_PORT),
    startSending(blackHole.port),
    startServiceProcess(),
  ]);
  const [working, refusing, silent, without] = services;

  // Mails of one round must not be sent while another service is measured.
  let sent = 0;
  const untilSent = async () => {
    for (sent += PER_ROUND; mailServer.mails.length < sent; ) await sleep(20);
  };
  const plain =
    (service: RunningService): Side =>
    () =>
      timeCreations(service, { count: PER_ROUND });
  const sides = {
    working: makeMailing(working, untilSent),
    refusing: makeMailing(refusing, async () => {}),
    silent: makeMailing(silent, async () => {}),
    plainBeside: plain(silent),
    plainWithout: plain(without),
  };
  const measured = await measureRounds(sides).finally(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await mailServer.stop();
    blackHole.stop();
  });
  if (blackHole.calls() === 0) throw new Error('the mail server that never answers was never called');

  return [
    ...compareTimes(
      'create with a mail, mail server refuses (bare: works)',
      measured.refusing,
      measured.working,
    ),
    ...compareTimes(
      'create with a mail, mail server never answers (bare: works)',
      measured.silent,
      measured.working,
    ),
    ...compareTimes(
      'create without a mail, e-mail is set up (bare: is not)',
      measured.plainBeside,
      measured.plainWithout,
    ),
  ];
}
