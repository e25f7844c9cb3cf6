// Queries for the texts of a site's mails.

import type { SiteId } from '../../kernel/ids.ts';
import type { Handle } from '../../platform/database/database.ts';
import { LANGUAGES, type Language } from '../../platform/text/language.ts';
import type { MailTexts } from './custom-mail-text.ts';

/** The texts in languages that this release knows. */
export async function selectMailTexts(
  handle: Handle,
  siteId: SiteId,
): Promise<(MailTexts & { language: Language })[]> {
  const rows = await handle
    .selectFrom('mail_texts')
    .select(['language', 'subject', 'greeting', 'closing'])
    .where('site_id', '=', siteId)
    .execute();
  return LANGUAGES.flatMap((language) =>
    rows.filter((row) => row.language === language).map((row) => ({ ...row, language })),
  );
}

/** Keeps texts in languages that this release does not know. */
export async function deleteMailTexts(handle: Handle, siteId: SiteId): Promise<void> {
  await handle
    .deleteFrom('mail_texts')
    .where('site_id', '=', siteId)
    .where('language', 'in', LANGUAGES)
    .execute();
}

export async function insertMailTexts(
  handle: Handle,
  { siteId, ...texts }: MailTexts & { siteId: SiteId; language: Language },
): Promise<void> {
  await handle
    .insertInto('mail_texts')
    .values({ site_id: siteId, ...texts })
    .execute();
}
