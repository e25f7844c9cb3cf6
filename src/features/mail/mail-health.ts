// What System health and `doctor` examine about e-mail, and what the overview shows about e-mail.

import type { HealthCheck } from '../../kernel/health/health-check.ts';
import type { Installation } from '../../kernel/installation.ts';
import type { Concern, ConcernSource } from '../../kernel/overview/concern.ts';
import { saidOfMailDe } from './health-texts-de.ts';
import { saidOfMailEn } from './health-texts-en.ts';
import { judgeMail } from './judge-mail.ts';
import { openMailTests } from './mail-test-use-case.ts';
import { MAIL_SERVER_TEXTS, MAIL_TEXTS } from './mail-texts.ts';

export const healthCheck: HealthCheck = {
  part: 'e-mail',
  place: 140,
  examine,
  said: { de: saidOfMailDe, en: saidOfMailEn },
  subject: { de: 'E-Mail', en: 'e-mail' },
  wayOut: ({ kind }, { language }) =>
    kind === 'mail-failing' || kind === 'mail-unreadable' || kind === 'mail-paused' || kind === 'mails-late'
      ? { href: '/settings/e-mail', label: MAIL_SERVER_TEXTS[language].toSetup }
      : undefined,
};

async function examine(installation: Installation, patienceMs: number) {
  const { mailServer, mails, sites } = installation;
  const setup = await mailServer.find();
  const result = setup && (await openMailTests(installation).check(AbortSignal.timeout(patienceMs)));
  const siteIds = (await sites.list()).map(({ id }) => id);
  return judgeMail({
    server: setup && result && { host: setup.server.host, port: setup.server.port, result },
    stored: await mailServer.findStored(),
    ...(await mails.readServerState()),
    backlog: (await installation.readBacklogs()).mails,
    unread: await mails.countUnread(siteIds),
  });
}

export const concerns: ConcernSource = {
  place: 60,
  async find({ mails, mailServer, sites }) {
    const count = await mails.countUnread((await sites.list()).map(({ id }) => id));
    const failed = count > 0 ? [mailsFailed(count)] : [];
    if (!(await mailServer.find())) return failed;
    const { failures, lastError } = await mails.readServerState();
    return failures > 0 ? [serverFailing(lastError), ...failed] : failed;
  },
};

/** Mails that were not delivered, and that no user has confirmed yet. */
const mailsFailed = (count: number): Concern => ({
  likeness: 'mails-failed',
  what: ({ language }) => MAIL_TEXTS[language].unread(count),
  way: ({ language }) => ({ href: '/mails?state=unread', label: MAIL_TEXTS[language].look }),
});

/** The mail server does not take mails. `error` is what it said last. */
const serverFailing = (error: string | null): Concern => ({
  likeness: 'mail-server-failing',
  what: ({ language }) => MAIL_TEXTS[language].serverFails,
  advice({ language }) {
    const text = MAIL_TEXTS[language];
    return error === null ? text.serverFailsWhat : `${text.serverFailsWhat} ${text.serverSaid} ${error}`;
  },
  way: ({ language }) => ({ href: '/settings/e-mail', label: MAIL_TEXTS[language].toServer }),
});
