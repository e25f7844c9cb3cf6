// The store for the texts of a site's mails. Texts in a language of a newer release are left alone.

import { siteDetails } from '../../kernel/audit/audit-details.ts';
import { insertAuditEntry } from '../../kernel/audit/audit-queries.ts';
import { holdSite } from '../../kernel/sites/site-queries.ts';
import type { Database } from '../../platform/database/database.ts';
import { LANGUAGES } from '../../platform/text/language.ts';
import type { MailTextStore } from './custom-mail-text.ts';
import { deleteMailTexts, insertMailTexts, selectMailTexts } from './mail-text-queries.ts';

export function makeMailTextStore(database: Database): MailTextStore {
  return {
    async find(siteId) {
      const rows = await selectMailTexts(database.read, siteId);
      return Object.fromEntries(rows.map(({ language, ...texts }) => [language, texts]));
    },
    save: (siteId, texts, audit) =>
      database.write(async (transaction) => {
        // Two texts that are saved at the same time must not become a mixture of both.
        await holdSite(transaction, siteId);
        await deleteMailTexts(transaction, siteId);
        for (const language of LANGUAGES) {
          const { subject = '', greeting = '', closing = '' } = texts[language] ?? {};
          if (subject + greeting + closing !== '')
            await insertMailTexts(transaction, { siteId, language, subject, greeting, closing });
        }
        const details = siteDetails(siteId, '');
        await insertAuditEntry(transaction, { ...audit, action: 'site.mail-texts-changed', details });
      }),
  };
}
