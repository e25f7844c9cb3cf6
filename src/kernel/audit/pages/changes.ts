// Says in words which fields an audit entry changed and what their new values are.

import { type Counted, sayCounted } from '../../../platform/texts/counted.ts';
import { localeOf, sayDay } from '../../../platform/texts/durations.ts';
import type { PageContext } from '../../pages/context.ts';
import type { AuditDetails } from '../audit-details.ts';
import type { Known } from './known.ts';

export function sayChanges(
  context: PageContext,
  { fields = [], changes = {} }: Pick<AuditDetails, 'fields' | 'changes'>,
  known: Pick<Known, 'sites'>,
): string {
  const { fields: labels } = context.messages.admin.audit;
  const values = Object.entries(changes).map(([field, value]) => {
    const label = labels[field] ?? field;
    const said = sayValue(context, { field, value, known });
    return said === '' ? label : `${label}: ${said}`;
  });
  return [...fields.map((field) => labels[field] ?? field), ...values].join('; ');
}

/** Says counts in words, such as "3 vouchers, 1 batch". */
export function sayCounts({ messages, language }: PageContext, counted: Counted): string {
  return sayCounted(messages.admin.audit, counted, localeOf(language)).join(', ');
}

interface Value {
  field: string;
  value: unknown;
  known: Pick<Known, 'sites'>;
}

function sayValue(context: PageContext, { field, value, known }: Value): string {
  const { messages, language, timeZone } = context;
  const { audit: text, users } = messages.admin;
  if (field === 'siteIds' || field === 'sites') return saySites(context, value, known);
  if (field === 'role' && (value === 'admin' || value === 'operator')) return users[value];
  if (field === 'language' && value === null) return messages.settings.languages.browser;
  if (field.startsWith('keep') && value === null) return messages.settings.keptEver;
  if (field === 'expires' && typeof value === 'string' && !Number.isNaN(Date.parse(value)))
    return sayDay(Date.parse(value) - 1, { language, timeZone });
  if (field === 'port' && typeof value === 'number') return String(value);
  if (typeof value === 'number') return value.toLocaleString(localeOf(language));
  if (typeof value === 'boolean' || value === null) return text.values[String(value)] ?? '';
  if (typeof value === 'string') return text.values[value] ?? text.quoted(value);
  // Objects and lists, such as the rules of single sign-on, are too long for a sentence.
  return '';
}

function saySites({ messages }: PageContext, value: unknown, { sites }: Pick<Known, 'sites'>): string {
  const { audit: text } = messages.admin;
  if (!Array.isArray(value)) return text.values[String(value)] ?? '';
  if (value.length === 0) return text.values.null ?? '';
  return value.map((id) => sites.get(String(id))?.name ?? text.numbered(String(id))).join(', ');
}
