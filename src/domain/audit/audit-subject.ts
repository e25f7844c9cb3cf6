// Reads the subject of an audit entry: the objects it names, the name and the count at that time, and what changed. It
// understands the texts of all releases; a text that it does not understand is shown as it is.

import * as v from 'valibot';

export type ThingKind = 'voucher' | 'batch' | 'site' | 'user' | 'key' | 'webhook' | 'profile' | 'delivery';

export interface Thing {
  /** Null in entries of early releases. */
  id: string | null;
  /** At the time of the action; empty if it was not recorded. */
  name: string;
}

export interface AuditSubject {
  things: Partial<Record<ThingKind, Thing>>;
  /** The name of the voucher, the Wi-Fi or the account at the identity provider. */
  name?: string;
  count?: number;
  /** What changed, with the new value if it was recorded. */
  changes: Record<string, unknown>;
}

const OBJECT = v.record(v.string(), v.unknown());

/** Undefined if the text has another form. */
export function readAuditSubject(action: string, subject: string): AuditSubject | undefined {
  const [noun = ''] = action.split('.');
  return READERS[noun]?.(subject);
}

const READERS: Record<string, (subject: string) => AuditSubject | undefined> = {
  voucher: readVouchers,
  audit: (subject) => withCount(/^entries: (\d+)$/.exec(subject)),
  site: readSite,
  slip: readSlip,
  user: readUser,
  key: (subject) => readNumbered('key', subject),
  profile: (subject) => readNumbered('profile', subject),
  webhook: readWebhook,
  delivery: (subject) => ({ things: { delivery: { id: subject, name: '' } }, changes: {} }),
  settings: readObject,
  'single-sign-on': readObject,
  image: readImage,
  retention: readCounts,
  privacy: (subject) => withCount(/^records: (\d+)$/.exec(subject)),
  installation: readInstallation,
  clock: (subject) => ({ things: {}, name: subject, changes: {} }),
  imported: (subject) => ({ things: {}, name: subject, changes: {} }),
};

function withCount(found: RegExpExecArray | null): AuditSubject | undefined {
  return found ? { things: {}, count: Number(found[1]), changes: {} } : undefined;
}

/**
 * `voucher 9 of site 2 (Haus A): Zimmer 4`, `batch … of site 2 (Haus A): 60 vouchers, Tagung`, `site 2: Zimmer 4`,
 * `vouchers 1, 2 and 5 more`, `vouchers: 12`.
 */
function readVouchers(subject: string): AuditSubject | undefined {
  const printed = /^vouchers ([\d, ]+?)(?: and (\d+) more)?$/.exec(subject);
  if (printed) {
    const ids = (printed[1] ?? '').split(', ');
    const count = ids.length + Number(printed[2] ?? 0);
    const [id = null] = ids;
    return { things: count === 1 ? { voucher: { id, name: '' } } : {}, count, changes: {} };
  }
  const found =
    /^(?:(voucher|batch) (\S+) of )?site (\d+)(?: \((.*?)\))?(?:: (?:(\d+) vouchers, )?(.*))?$/s.exec(
      subject,
    );
  if (!found) return withCount(/^vouchers: (\d+)$/.exec(subject));
  const [, kind, id = null, siteId = null, siteName = '', count = '1', stored] = found;
  const name = stored?.replace(/^\d{4}-\d{2}-\d{2}_/, '');
  return {
    things: {
      site: { id: siteId, name: siteName },
      ...(kind === 'voucher' && { voucher: { id, name: '' } }),
      ...(kind === 'batch' && { batch: { id, name: name ?? '' } }),
    },
    ...(name !== undefined && { name }),
    count: Number(count),
    changes: {},
  };
}

/** `site 2 (Haus A): name, active`, `site 2 (Demo): vouchers: 12, batches: 3`; in early releases `2: name` or the name alone. */
function readSite(subject: string): AuditSubject {
  const found =
    /^site (\d+) \((.*?)\)(?:: ([\w, :]+))?$/s.exec(subject) ?? /^(\d+)()(?:: ([\w, ]+))?$/.exec(subject);
  if (!found) return { things: { site: { id: null, name: subject } }, changes: {} };
  const [, id = null, name = '', fields] = found;
  const { changes } = fields?.includes(': ') ? readCounts(fields) : { changes: toFields(fields) };
  return { things: { site: { id, name } }, changes };
}

function readSlip(subject: string): AuditSubject | undefined {
  const [, id, name] = /^(\d+): (.*)$/s.exec(subject) ?? [];
  return id === undefined
    ? undefined
    : { things: { site: { id, name: '' } }, ...(name && { name }), changes: {} };
}

/** `user 5 (anna@example.org): …`, in early releases `anna@example.org …`; followed by a role, an object or an account. */
function readUser(subject: string): AuditSubject {
  const numbered = /^user (\d+) \((.*?)\)(?:: (.*))?$/s.exec(subject);
  const [, id = null, name = subject, rest] =
    numbered ?? /^()(\S+@\S+?)(?:: (\{.*\})| \((admin|operator)\))?$/s.exec(subject) ?? [];
  const user = { user: { id: id || null, name } };
  const text = rest ?? (/ \((admin|operator)\)$/.exec(subject)?.[1] || undefined);
  if (text === undefined) return { things: user, changes: {} };
  if (text === 'admin' || text === 'operator') return { things: user, changes: { role: text } };
  const changes = readChanges(text);
  return changes ? { things: user, changes } : { things: user, name: text, changes: {} };
}

/** `k1: Kasse {"note":"…"}`, `k1: {"scope":"read"}`, `3: Tagung`, `k1`; in early releases the name alone. */
function readNumbered(kind: 'key' | 'profile', subject: string): AuditSubject {
  const [, id = null, rest = ''] = /^(\w+)(?:: (.*))?$/s.exec(subject) ?? [undefined, undefined, subject];
  const [, name = rest, object = ''] = /^(.*?) ?(\{.*\})$/s.exec(rest) ?? [];
  const changes = readChanges(object);
  return { things: { [kind]: { id, name: changes ? name : rest } }, changes: changes ?? {} };
}

/**
 * `webhook 3 (Kasse): active`; in earlier releases `3: https://example.org/… (chat)`, `3: active`, `3`, at first without
 * the number.
 */
function readWebhook(subject: string): AuditSubject {
  const [, number, named = '', more = ''] = /^webhook (\d+) \((.*?)\)(?:: (.*))?$/s.exec(subject) ?? [];
  if (number !== undefined)
    return {
      things: { webhook: { id: number, name: named } },
      changes: more.includes('://') ? {} : toFields(more),
    };
  const [, id = null, rest = subject] = /^(\d+)(?:: (.*))?$/s.exec(subject) ?? [];
  const isUrl = rest.includes('://');
  const name = isUrl ? rest.replace(/ \(\w+\)$/, '') : '';
  return { things: { webhook: { id, name } }, changes: isUrl || rest === subject ? {} : toFields(rest) };
}

function readObject(subject: string): AuditSubject | undefined {
  const changes = readChanges(subject);
  return changes && { things: {}, changes };
}

function readImage(subject: string): AuditSubject {
  const [, id] = /^site-(\d+)$/.exec(subject) ?? [];
  return { things: id === undefined ? {} : { site: { id, name: '' } }, changes: {} };
}

/** `vouchers: 3, batches: 1, audit: 5` */
function readCounts(subject: string): AuditSubject {
  const counts = [...subject.matchAll(/(\w+): (\d+)/g)].filter(([, , count]) => Number(count) > 0);
  return { things: {}, changes: Object.fromEntries(counts.map(([, what, count]) => [what, Number(count)])) };
}

/** `user 1 (anna@example.org), site 1 (Demo), key k1`, `12 sealed values`, or `movedSites: 3, users: 4`. */
function readInstallation(subject: string): AuditSubject {
  if (/^movedSites: \d/.test(subject)) return readCounts(subject);
  const [, count] = /^(\d+) sealed values$/.exec(subject) ?? [];
  if (count !== undefined) return { things: {}, count: Number(count), changes: {} };
  return {
    things: {},
    ...(subject !== '' && { name: subject.replaceAll(/\b(user|site) \d+ \((.*?)\)/g, '$2') }),
    changes: {},
  };
}

function toFields(names: string | undefined): Record<string, unknown> {
  return Object.fromEntries(
    (names ?? '')
      .split(', ')
      .filter(Boolean)
      .map((name) => [name, undefined]),
  );
}

/** The changes of an entry that were recorded as a JSON object; undefined for any other text. */
export function readChanges(text: string): Record<string, unknown> | undefined {
  try {
    const parsed = v.safeParse(OBJECT, JSON.parse(text));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}
