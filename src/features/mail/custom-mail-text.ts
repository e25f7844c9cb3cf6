// What an administrator writes for the mails of a site, per language, and the store for it.

import type { AuditContext } from '../../kernel/audit/audit-log.ts';
import type { SiteId } from '../../kernel/ids.ts';
import { hasInvisible } from '../../platform/text/invisible.ts';
import type { Language } from '../../platform/text/language.ts';

/** An empty text stands for the default. */
export interface MailTexts {
  subject: string;
  greeting: string;
  closing: string;
}

export const DEFAULT_MAIL_TEXTS: MailTexts = { subject: '', greeting: '', closing: '' };

/** `{name}` is the name of the voucher, and `{until}` says how long it is valid. */
export const MAIL_PLACEHOLDERS = ['name', 'site', 'wifi', 'until'] as const;
export type MailPlaceholder = (typeof MAIL_PLACEHOLDERS)[number];

export const MAX_SUBJECT_LENGTH = 150;
export const MAX_MAIL_TEXT_LENGTH = 1_000;
export const MAX_MAIL_TEXT_LINES = 15;

/** A word in braces. Other braces are ordinary characters. */
const PLACEHOLDER = /\{(\w+)\}/g;

function isPlaceholder(name: string): name is MailPlaceholder {
  return MAIL_PLACEHOLDERS.some((known) => known === name);
}

/** Inserts the values. A value that looks like a placeholder is not replaced again. */
export function fillMailText(text: string, values: Record<MailPlaceholder, string>): string {
  return text.replace(PLACEHOLDER, (found, name: string) => (isPlaceholder(name) ? values[name] : found));
}

export type MailTextIssue =
  | { field: keyof MailTexts; issue: 'unknown-placeholder'; placeholder: string }
  | {
      field: keyof MailTexts;
      issue: 'no-wifi-name' | 'too-long' | 'too-many-lines' | 'line-break' | 'invisible';
    };

/** The first issue of each text. `{wifi}` is refused if the site has no Wi-Fi name. */
export function issuesOfMailTexts(texts: MailTexts, wifiName: string): MailTextIssue[] {
  return (['subject', 'greeting', 'closing'] as const).flatMap((field) => {
    const issue = issueOfMailText(field, texts[field], wifiName);
    return issue ? [issue] : [];
  });
}

function issueOfMailText(field: keyof MailTexts, text: string, wifiName: string): MailTextIssue | undefined {
  const isSubject = field === 'subject';
  if (isSubject && text.includes('\n')) return { field, issue: 'line-break' };
  if (hasInvisible(text.replaceAll('\n', ''))) return { field, issue: 'invisible' };
  if ([...text].length > (isSubject ? MAX_SUBJECT_LENGTH : MAX_MAIL_TEXT_LENGTH))
    return { field, issue: 'too-long' };
  if (text.split('\n').length > MAX_MAIL_TEXT_LINES) return { field, issue: 'too-many-lines' };
  const names = [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
  const unknown = names.find((name) => !isPlaceholder(name));
  if (unknown !== undefined) return { field, issue: 'unknown-placeholder', placeholder: unknown };
  return wifiName === '' && names.includes('wifi') ? { field, issue: 'no-wifi-name' } : undefined;
}

export interface MailTextStore {
  find(siteId: SiteId): Promise<Partial<Record<Language, MailTexts>>>;
  save(siteId: SiteId, texts: Partial<Record<Language, MailTexts>>, audit: AuditContext): Promise<void>;
}
