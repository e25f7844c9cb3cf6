// Reads the details of an audit entry from its text, for entries of releases that stored only the text. The result can
// be wrong if a name contains text that looks like another part of the entry. A text in an unknown form is shown
// unchanged.

import * as v from 'valibot';
import { type AuditDetails, parseJson } from './audit-details.ts';

const OBJECT = v.record(v.string(), v.unknown());

/** Undefined if the text has no known form. */
export function readAuditSubject(action: string, subject: string): AuditDetails | undefined {
  const [noun = ''] = action.split('.');
  return READERS[noun]?.(subject);
}

const READERS: Record<string, (subject: string) => AuditDetails | undefined> = {
  voucher: readVouchers,
  audit: (subject) => withCount(/^entries: (\d+)$/.exec(subject)),
  site: readSite,
  slip: readSlip,
  user: readUser,
  key: (subject) => readNumbered('key', subject),
  profile: (subject) => readNumbered('profile', subject),
  webhook: readWebhook,
  printer: (subject) => readThingOfSite('printer', subject) ?? readVouchers(subject),
  screen: (subject) => readThingOfSite('screen', subject),
  delivery: (delivery) => ({ delivery }),
  request: readRequest,
  settings: readObject,
  'single-sign-on': readObject,
  mail: (subject) => readObject(subject) ?? { name: subject },
  image: readImage,
  retention: readCounts,
  privacy: (subject) => withCount(/^records: (\d+)$/.exec(subject)),
  installation: readInstallation,
  clock: (name) => ({ name }),
  imported: (name) => ({ name }),
};

function withCount(found: RegExpExecArray | null): AuditDetails | undefined {
  return found ? { count: Number(found[1]) } : undefined;
}

/**
 * Reads texts such as `voucher 9 of site 2 (Haus A): Zimmer 4`, `batch … of site 2 (Haus A): 60 vouchers, Tagung`,
 * `site 2: Zimmer 4`, `vouchers 1, 2 and 5 more` and `vouchers: 12`.
 */
function readVouchers(subject: string): AuditDetails | undefined {
  const printed = /^vouchers ([\d, ]+?)(?: and (\d+) more)?$/.exec(subject);
  if (printed) {
    const vouchers = (printed[1] ?? '').split(', ');
    const count = vouchers.length + Number(printed[2] ?? 0);
    return count === 1 ? { voucher: vouchers[0], count } : { vouchers, count };
  }
  const found =
    /^(?:(voucher|batch) (\S+) of )?site (\d+)(?: \((.*?)\))?(?:: (?:(\d+) vouchers, )?(.*))?$/s.exec(
      subject,
    );
  if (!found) return withCount(/^vouchers: (\d+)$/.exec(subject));
  const [, kind, id = null, siteId = null, siteName = '', count = '1', name] = found;
  return {
    ...(kind === 'voucher' && { voucher: id ?? '' }),
    ...(kind === 'batch' && { batch: { id, name: name ?? '' } }),
    site: { id: siteId, name: siteName },
    ...(name !== undefined && { name }),
    count: Number(count),
  };
}

/**
 * Reads `site 2 (Haus A): name, active` and `site 2 (Demo): vouchers: 12, batches: 3`. Early releases wrote `2: name`
 * or only the name.
 */
function readSite(subject: string): AuditDetails {
  const found =
    /^site (\d+) \((.*?)\)(?:: ([\w, :]+))?$/s.exec(subject) ?? /^(\d+)()(?:: ([\w, ]+))?$/.exec(subject);
  if (!found) return { site: { id: null, name: subject } };
  const [, id = null, name = '', fields] = found;
  return { site: { id, name }, ...(fields?.includes(': ') ? readCounts(fields) : readFields(fields)) };
}

function readSlip(subject: string): AuditDetails | undefined {
  const [, id, name] = /^(\d+): (.*)$/s.exec(subject) ?? [];
  return id === undefined ? undefined : { site: { id, name: '' }, ...(name && { name }) };
}

/**
 * Reads `user 5 (anna@example.org): …`. Early releases wrote `anna@example.org …`. The rest of the text is a role, a
 * JSON object or an account.
 */
function readUser(subject: string): AuditDetails {
  const numbered = /^user (\d+) \((.*?)\)(?:: (.*))?$/s.exec(subject);
  const [, id = null, name = subject, rest] =
    numbered ?? /^()(\S+@\S+?)(?:: (\{.*\})| \((admin|operator)\))?$/s.exec(subject) ?? [];
  const user = { id: id || null, name };
  const text = rest ?? (/ \((admin|operator)\)$/.exec(subject)?.[1] || undefined);
  if (text === undefined) return { user };
  if (text === 'admin' || text === 'operator') return { user, changes: { role: text } };
  const changes = readChanges(text);
  return changes ? { user, changes } : { user, name: text };
}

/** Reads `k1: Kasse {"note":"…"}`, `k1: {"scope":"read"}`, `3: Tagung` and `k1`. Early releases wrote only the name. */
function readNumbered(kind: 'key' | 'profile', subject: string): AuditDetails {
  const [, id = null, rest = ''] = /^(\w+)(?:: (.*))?$/s.exec(subject) ?? [undefined, undefined, subject];
  const [, name = rest, object = ''] = /^(.*?) ?(\{.*\})$/s.exec(rest) ?? [];
  const changes = readChanges(object);
  return changes ? { [kind]: { id, name }, changes } : { [kind]: { id, name: rest } };
}

/**
 * Reads `webhook 3 (Kasse): active`. Earlier releases wrote `3: https://example.org/… (chat)`, `3: active` or `3`. The
 * first releases did not write the number.
 */
function readWebhook(subject: string): AuditDetails {
  const [, number, named = '', more = ''] = /^webhook (\d+) \((.*?)\)(?:: (.*))?$/s.exec(subject) ?? [];
  if (number !== undefined)
    return { webhook: { id: number, name: named }, ...(!more.includes('://') && readFields(more)) };
  const [, id = null, rest = subject] = /^(\d+)(?:: (.*))?$/s.exec(subject) ?? [];
  if (rest.includes('://')) return { webhook: { id, name: rest.replace(/ \(\w+\)$/, '') } };
  return { webhook: { id, name: '' }, ...(rest !== subject && readFields(rest)) };
}

/** Reads `printer 3 (Rezeption) of site 2 (Haus A): name, paper`. */
function readThingOfSite(noun: 'printer' | 'screen', subject: string): AuditDetails | undefined {
  const found = /^(\w+) (\d+) \((.*?)\) of site (\d+) \((.*?)\)(?:: (.*))?$/s.exec(subject);
  const [, first, id = null, name = '', siteId = null, siteName = '', fields] = found ?? [];
  if (first !== noun) return undefined;
  return { [noun]: { id, name }, site: { id: siteId, name: siteName }, ...readFields(fields) };
}

/** Reads `request 7 of site 2 (Haus A)`. */
function readRequest(subject: string): AuditDetails | undefined {
  const [, request, id, name = ''] = /^request (\d+) of site (\d+) \((.*)\)$/s.exec(subject) ?? [];
  return request === undefined || id === undefined ? undefined : { request, site: { id, name } };
}

function readObject(subject: string): AuditDetails | undefined {
  const changes = readChanges(subject);
  return changes && { changes };
}

function readImage(subject: string): AuditDetails {
  const [, id] = /^site-(\d+)$/.exec(subject) ?? [];
  return id === undefined ? {} : { site: { id, name: '' } };
}

/** Reads texts such as `vouchers: 3, batches: 1, audit: 5`. */
function readCounts(subject: string): AuditDetails {
  const counts = [...subject.matchAll(/(\w+): (\d+)/g)];
  return { counts: Object.fromEntries(counts.map(([, what = '', count]) => [what, Number(count)])) };
}

/**
 * Reads `user 1 (anna@example.org), site 1 (Demo), key k1`, `12 sealed values` and `movedSites: 3, users: 4`. Early
 * releases wrote only the names of the user, the site and the key.
 */
function readInstallation(subject: string): AuditDetails {
  if (/^movedSites: \d/.test(subject)) return readCounts(subject);
  const [, count] = /^(\d+) sealed values$/.exec(subject) ?? [];
  if (count !== undefined) return { count: Number(count) };
  const [, userId, email = ''] = /\buser (\d+) \((.*?)\)/.exec(subject) ?? [];
  const [, siteId, siteName = ''] = /\bsite (\d+) \((.*?)\)/.exec(subject) ?? [];
  const [, keyId] = /(?<=^|, )key (\w+)$/.exec(subject) ?? [];
  if ((userId ?? siteId ?? keyId) === undefined) return subject === '' ? {} : { name: subject };
  return {
    ...(userId !== undefined && { user: { id: userId, name: email } }),
    ...(siteId !== undefined && { site: { id: siteId, name: siteName } }),
    ...(keyId !== undefined && { key: { id: keyId, name: '' } }),
  };
}

function readFields(names = ''): AuditDetails {
  return names === '' ? {} : { fields: names.split(', ').filter(Boolean) };
}

/** The changes of an entry that were recorded as a JSON object; undefined for any other text. */
export function readChanges(text: string): Record<string, unknown> | undefined {
  return parseJson(OBJECT, text);
}
