// The details of an audit entry: the objects it names, with their names at that time, and what changed. They are stored
// as JSON, and as a text for searches, for the CSV file and for instances of earlier releases.

import * as v from 'valibot';

/** The id is null in entries of early releases and for people who are not users. The name is empty if it is unknown. */
const THING = v.object({ id: v.nullable(v.string()), name: v.string() });

const DETAILS = v.partial(
  v.object({
    /** The id of a voucher. */
    voucher: v.string(),
    /** The ids of several vouchers. `count` is larger than the list if some ids were left out. */
    vouchers: v.array(v.string()),
    batch: THING,
    site: THING,
    /** `name` is the user's e-mail address. */
    user: THING,
    key: THING,
    webhook: THING,
    profile: THING,
    printer: THING,
    screen: THING,
    /** Whether the slips were marked as copies. */
    isCopy: v.literal(true),
    /** The id of a delivery. */
    delivery: v.string(),
    /** The id of a guest's request. */
    request: v.string(),
    /**
     * Depends on the action: the name of a voucher, a Wi-Fi or an account at the identity provider, the masked address
     * of a mail, or another text.
     */
    name: v.string(),
    count: v.number(),
    /** Why an order failed. */
    cause: v.string(),
    /** Numbers of records by their kind. */
    counts: v.record(v.string(), v.number()),
    /** The names of some of these records. */
    names: v.record(v.string(), v.array(v.string())),
    /** The changed fields with their new values. */
    changes: v.record(v.string(), v.unknown()),
    /** The names of changed fields whose new values are not recorded. */
    fields: v.array(v.string()),
  }),
);

export type Thing = v.InferOutput<typeof THING>;
export type AuditDetails = v.InferOutput<typeof DETAILS>;

/** Undefined for entries of earlier releases, and for details that only a newer release understands. */
export function readAuditDetails(json: string | null): AuditDetails | undefined {
  return json === null ? undefined : parseJson(DETAILS, json);
}

/** Undefined if the text is not JSON or does not match the schema. */
export function parseJson<Value>(schema: v.GenericSchema<unknown, Value>, text: string): Value | undefined {
  try {
    const parsed = v.safeParse(schema, JSON.parse(text));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}

type Has<Part extends keyof AuditDetails> = { [Name in Part]: NonNullable<AuditDetails[Name]> };
type Batch = Has<'batch' | 'site' | 'count'>;
type Lost = Has<'site' | 'count'>;
type Sent = Has<'printer' | 'site'> & { isCopy?: true } & (Has<'voucher'> | Has<'vouchers' | 'count'>);
type Printed = Batch | Has<'voucher'> | Has<'vouchers' | 'count'>;

/**
 * For every action, the function that turns its details into a text. The form of a text must never change, because
 * earlier releases parse it. If an action is about a user or a key, `user` or `key` must be the first property of its
 * details, because searches compare the beginning of the JSON.
 */
const TEXTS = {
  'voucher.created': (details: Batch | Has<'voucher' | 'site' | 'name'>) =>
    'batch' in details ? batchText(details) : `${voucherText(details)}: ${details.name}`,
  'voucher.revoked': voucherText,
  'voucher.link-made': voucherText,
  'voucher.link-renewed': voucherText,
  'voucher.link-withdrawn': voucherText,
  'voucher.mailed': mailedText,
  'voucher.mail-resent': mailedText,
  'voucher.disconnected': (details: Has<'voucher' | 'site' | 'count'>) =>
    `${voucherText(details)}: devices: ${details.count}`,
  'voucher.replaced': lostText,
  'voucher.loss-noted': lostText,
  'voucher.not-created': failedText,
  'voucher.not-revoked': failedText,
  'voucher.printed': printedText,
  'voucher.saved': printedText,
  'voucher.sent-to-printer': sentText,
  'voucher.exported': ({ count }: Has<'count'>) => `vouchers: ${count}`,
  'audit.exported': ({ count }: Has<'count'>) => `entries: ${count}`,
  'site.added': siteText,
  'site.changed': (details: Has<'site' | 'fields'>) => `${siteText(details)}: ${details.fields.join(', ')}`,
  'site.certificate-confirmed': (
    details: Has<'site'> & { changes: { certificateBefore: string | null; certificateNow: string } },
  ) => `${siteText(details)}: ${details.changes.certificateNow}`,
  'site.reserve-changed': (
    details: Has<'site'> & { changes: { reserve: number; reserveProfile: string | null } },
  ) => `${siteText(details)}: ${details.changes.reserve}`,
  'site.removed': (details: Has<'site'> & Pick<AuditDetails, 'counts' | 'names'>) =>
    details.counts ? `${siteText(details)}: ${countsText(details.counts)}` : siteText(details),
  'slip.changed': ({ site, name }: Has<'site' | 'name'>) => `${site.id}: ${name}`,
  'user.added': (details: Has<'user'> & { changes?: { role: string }; name?: string }) =>
    [userText(details), details.changes?.role ?? details.name ?? []].flat().join(': '),
  'user.invited': (details: Has<'user'> & { changes: { role: string } }) =>
    `${userText(details)}: ${details.changes.role}`,
  'user.changed': (details: Has<'user' | 'changes'>) =>
    `${userText(details)}: ${JSON.stringify(details.changes)}`,
  'user.linked': (details: Has<'user' | 'name'>) => `${userText(details)}: ${details.name}`,
  'user.unlinked': userText,
  'user.no-rule': userText,
  'user.removed': userText,
  'user.unlocked': userText,
  'user.password-link-made': userText,
  'user.password-link-used': userText,
  'user.password-reset': userText,
  'user.signed-in': userText,
  'user.signed-out': userText,
  'user.sign-in-failed': userText,
  'user.code-wrong': userText,
  'user.confirmation-failed': userText,
  'user.session-ended': userText,
  'user.second-factor-on': userText,
  'user.second-factor-off': userText,
  'user.second-factor-removed': userText,
  'user.recovery-codes-made': userText,
  'user.recovery-code-used': userText,
  'key.created': ({ key, changes = {} }: Has<'key'> & Pick<AuditDetails, 'changes'>) =>
    `${key.id}: ${key.name}${Object.keys(changes).length > 0 ? ` ${JSON.stringify(changes)}` : ''}`,
  'key.changed': ({ key, changes }: Has<'key' | 'changes'>) => `${key.id}: ${JSON.stringify(changes)}`,
  'key.revoked': ({ key }: Has<'key'>) => String(key.id),
  'profile.added': profileText,
  'profile.changed': profileText,
  'profile.removed': profileText,
  'webhook.added': (details: Has<'webhook'> & { changes: { url: string; format: string } }) =>
    `${webhookText(details)}: ${details.changes.url} (${details.changes.format})`,
  'webhook.changed': (details: Has<'webhook' | 'fields'>) =>
    `${webhookText(details)}: ${details.fields.join(', ')}`,
  'webhook.removed': webhookText,
  'printer.added': (details: Has<'printer' | 'site'> & { changes: { kind: string; address?: string } }) =>
    `${printerText(details)}: ${details.changes.kind}`,
  'printer.changed': (details: Has<'printer' | 'site' | 'fields'>) =>
    `${printerText(details)}: ${details.fields.join(', ')}`,
  'printer.path-renewed': printerText,
  'printer.path-shown': printerText,
  'printer.removed': printerText,
  'printer.tested': printerText,
  'printer.job-cancelled': ({ printer, site, voucher }: Has<'printer' | 'site'> & { voucher?: string }) =>
    voucher === undefined
      ? printerText({ printer, site })
      : `${voucherText({ voucher, site })}: ${printer.name}`,
  'screen.added': (details: Has<'screen' | 'site'> & { changes: { kind: string } }) =>
    `${screenText(details)}: ${details.changes.kind}`,
  'screen.changed': (details: Has<'screen' | 'site' | 'fields'>) =>
    `${screenText(details)}: ${details.fields.join(', ')}`,
  'screen.code-renewed': screenText,
  'screen.paired': screenText,
  'screen.unpaired': screenText,
  'screen.path-renewed': screenText,
  'screen.path-shown': screenText,
  'screen.removed': screenText,
  'delivery.resent': ({ delivery }: Has<'delivery'>) => delivery,
  'settings.changed': ({ changes }: Has<'changes'>) => JSON.stringify(changes),
  'single-sign-on.changed': ({ changes }: Has<'changes'>) => JSON.stringify(changes),
  'mail.server-changed': ({ changes }: Has<'changes'>) => JSON.stringify(changes),
  'mail.server-removed': ({ name }: Has<'name'>) => name,
  'mail.tested': ({ name }: Has<'name'>) => name,
  'site.mail-texts-changed': siteText,
  'site.requests-on': siteText,
  'site.requests-off': siteText,
  'site.requests-renewed': siteText,
  'site.requests-shown': siteText,
  'site.requests-mail-changed': siteText,
  'request.approved': requestText,
  'request.declined': requestText,
  'image.saved': imageText,
  'image.removed': imageText,
  'site.picture-saved': siteText,
  'site.picture-removed': siteText,
  'retention.applied': ({ counts }: Has<'counts'>) => countsText(counts),
  'privacy.erased': ({ count }: Has<'count'>) => `records: ${count}`,
  'clock.confirmed': ({ name }: Has<'name'>) => name,
  'installation.set-up': ({ user, site, key }: Pick<AuditDetails, 'user' | 'site' | 'key'>) =>
    [user ? userText({ user }) : [], site ? siteText({ site }) : [], key ? `key ${key.id}` : []]
      .flat()
      .join(', '),
  'installation.rekeyed': ({ count }: Has<'count'>) => `${count} sealed values`,
  'installation.moved-in': ({ counts }: Has<'counts'>) => countsText(counts),
  'imported.entry': ({ name }: Has<'name'>) => name,
};

export type AuditAction = keyof typeof TEXTS;
export type DetailsOf = { [Action in AuditAction]: Parameters<(typeof TEXTS)[Action]>[0] };

export function toAuditText<Action extends AuditAction>(action: Action, details: DetailsOf[Action]): string {
  const texts: { [Name in AuditAction]: (details: DetailsOf[Name]) => string } = TEXTS;
  return texts[action](details);
}

function siteText({ site: { id, name } }: Has<'site'>): string {
  return `site ${id} (${name})`;
}

/** The id is null for a person whom only the identity provider knows. */
function userText({ user: { id, name } }: Has<'user'>): string {
  return id === null ? name : `user ${id} (${name})`;
}

function webhookText({ webhook: { id, name } }: Has<'webhook'>): string {
  return `webhook ${id} (${name})`;
}

function printerText({ printer, site }: Has<'printer' | 'site'>): string {
  return `printer ${printer.id} (${printer.name}) of ${siteText({ site })}`;
}

function screenText({ screen, site }: Has<'screen' | 'site'>): string {
  return `screen ${screen.id} (${screen.name}) of ${siteText({ site })}`;
}

function profileText({ profile: { id, name } }: Has<'profile'>): string {
  return `${id}: ${name}`;
}

function imageText({ site }: Pick<AuditDetails, 'site'>): string {
  return site ? `site-${site.id}` : 'logo';
}

function voucherText(details: Has<'voucher' | 'site'>): string {
  return `voucher ${details.voucher} of ${siteText(details)}`;
}

/** The name is the masked address: see `maskMailAddress`. */
function mailedText(details: Has<'voucher' | 'site' | 'name'>): string {
  return `${voucherText(details)}: ${details.name}`;
}

function batchText({ batch, site, count }: Batch): string {
  const vouchers = count === 1 ? '' : `${count} vouchers, `;
  return `batch ${batch.id} of ${siteText({ site })}: ${vouchers}${batch.name}`;
}

function lostText({ site, count }: Lost): string {
  return `${siteText({ site })}: ${count} vouchers, lost`;
}

function printedText(details: Printed): string {
  if ('batch' in details) return batchText(details);
  if ('voucher' in details) return `vouchers ${details.voucher}`;
  const further = details.count - details.vouchers.length;
  return `vouchers ${details.vouchers.join(', ')}${further > 0 ? ` and ${further} more` : ''}`;
}

function sentText(details: Sent): string {
  const { site, printer } = details;
  return 'voucher' in details
    ? `${voucherText({ voucher: details.voucher, site })}: ${printer.name}`
    : `${siteText({ site })}: ${details.count} vouchers, ${printer.name}`;
}

function failedText(details: Has<'site' | 'count' | 'cause'>): string {
  return `${details.count} of ${siteText(details)}: ${details.cause}`;
}

function countsText(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([kind, count]) => `${kind}: ${count}`)
    .join(', ');
}

/** Names a site by its id, which never changes, and by its current name. */
export function siteDetails(id: number, name: string): Has<'site'> {
  return { site: { id: String(id), name } };
}

export function webhookDetails({ id, name }: { id: number; name: string }): Has<'webhook'> {
  return { webhook: { id: String(id), name } };
}

/** A thing that belongs to a site. */
interface ThingOfSite {
  id: number;
  name: string;
  siteId: number;
  siteName: string;
}

function requestText(details: Has<'site' | 'request'>): string {
  return `request ${details.request} of ${siteText(details)}`;
}

/** Names a printer and its site. */
export function printerDetails({ id, name, siteId, siteName }: ThingOfSite): Has<'printer' | 'site'> {
  return { printer: { id: String(id), name }, ...siteDetails(siteId, siteName) };
}

/** Names a screen and its site. */
export function screenDetails({ id, name, siteId, siteName }: ThingOfSite): Has<'screen' | 'site'> {
  return { screen: { id: String(id), name }, ...siteDetails(siteId, siteName) };
}

/** Names a user by the id, which never changes, and by the current e-mail address. */
export function userDetails({ id, email }: { id: number; email: string }): Has<'user'> {
  return { user: { id: String(id), name: email } };
}

/**
 * The names of the changed fields. Values are left out, because they may be secret. Only for `active`, the result shows
 * the new value.
 */
export function changedFields({ active, ...others }: { active?: boolean }): string[] {
  const switched = active === undefined ? [] : [active ? 'activated' : 'deactivated'];
  return [...Object.keys(others).map((field) => (field === 'connection' ? 'access' : field)), ...switched];
}
