// The store for the texts of a site's mails. Texts in a language of a newer release are left alone.

import { siteDetails } from '../../domain/audit/audit-details.ts';
import { LANGUAGES } from '../../domain/language.ts';
import type { MailTextStore } from '../../domain/mail/mail-texts.ts';
import { insertAuditEntry } from '../audit/queries.ts';
import type { Database } from '../database.ts';
import { holdSite } from '../sites/queries.ts';
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
