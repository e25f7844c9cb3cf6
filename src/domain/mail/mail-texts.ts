// What an administrator writes for the mails of a site, per language, and the store for it.

import type { AuditContext } from '../audit/audit-log.ts';
import type { SiteId } from '../ids.ts';
import type { Language } from '../language.ts';

/** An empty text stands for the default. */
export interface MailTexts {
  subject: string;
  greeting: string;
  closing: string;
}

export const DEFAULT_MAIL_TEXTS: MailTexts = { subject: '', greeting: '', closing: '' };

/** `{name}` is the name of the voucher, and `{until}` says how long it is valid. */
export const MAIL_PLACEHOLDERS = ['name', 'site', 'wifi', 'until'] as const;

export interface MailTextStore {
  find(siteId: SiteId): Promise<Partial<Record<Language, MailTexts>>>;
  save(siteId: SiteId, texts: Partial<Record<Language, MailTexts>>, audit: AuditContext): Promise<void>;
}
