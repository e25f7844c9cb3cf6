// The store for the texts of a site's mails.

import { isLanguage } from '../../domain/language.ts';
import type { MailTextStore } from '../../domain/mail/mail-texts.ts';
import type { Database } from '../database.ts';

export function makeMailTextStore({ read }: Pick<Database, 'read'>): Pick<MailTextStore, 'find'> {
  return {
    async find(siteId) {
      const rows = await read.selectFrom('mail_texts').selectAll().where('site_id', '=', siteId).execute();
      const known = rows.filter(({ language }) => isLanguage(language));
      return Object.fromEntries(
        known.map(({ language, subject, greeting, closing }) => [language, { subject, greeting, closing }]),
      );
    },
  };
}
