// E-mails: vouchers for guests, and messages for users about their accounts.

import type { Feature } from '../../kernel/feature.ts';
import type { InstallationParts } from '../../kernel/installation.ts';

async function open({ database, seal, config }: InstallationParts) {
  const { makeCancelEndedLinks } = await import('./account-mail-store.ts');
  const { makeMailServerStore } = await import('./mail-server-store.ts');
  const { makeMailStore } = await import('./mail-store.ts');
  const { makeMailTextStore } = await import('./mail-text-store.ts');
  return {
    cancelEndedLinks: makeCancelEndedLinks(database),
    mailServer: makeMailServerStore(database, {
      seal,
      fromEnvironment: config.mail,
      targets: config.webhookTargets,
    }),
    mails: makeMailStore(database, seal),
    mailTexts: makeMailTextStore(database),
  };
}

declare module '../../kernel/installation.ts' {
  interface Installation extends Awaited<ReturnType<typeof open>> {}
}

export const mail = {
  open,
  tables: () => import('./mail-tables.ts'),
  pages: async () => (await import('./mail-pages.ts')).mailPages,
  commands: [
    { word: 'mail', before: 'sync', load: async () => (await import('./mail-commands.ts')).mailCommands },
  ],
  health: () => import('./mail-health.ts'),
  metrics: async () => [(await import('./mail.ts')).MAIL_TRIES],
  channel: async () => (await import('./channel/channel.ts')).mailChannel,
  cleanUp: ({ cancelEndedLinks }, nowMs) => cancelEndedLinks(nowMs),
} satisfies Feature;
