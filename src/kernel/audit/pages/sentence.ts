// Makes a sentence of an audit entry in the reader's language, with links to the objects that still exist.

import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { readCause } from '../../controllers/controller.ts';
import type { KeySummary } from '../../keys/key-records.ts';
import type { PageContext } from '../../pages/context.ts';
import { sayCause } from '../../sites/pages/controller-errors.ts';
import { shownName } from '../../vouchers/pages/voucher-details.ts';
import { formatCode } from '../../vouchers/voucher.ts';
import type { AuditDetails } from '../audit-details.ts';
import type { FoundEntry } from '../audit-log.ts';
import { readChanges } from '../audit-subject.ts';
import { sayChanges, sayCounts } from './changes.ts';
import type { Known } from './known.ts';

interface Part {
  text: string;
  href?: string | undefined;
  /** True for a code, which must not be broken across two lines. */
  isWhole?: boolean;
}

type Parts = Record<string, Part | undefined>;

export function sentenceOf(context: PageContext, entry: FoundEntry, known: Known): Part[] {
  const { audit: text } = context.messages.admin;
  const { details } = entry;
  const template = details && templateOf(text.sentences, entry.action, details);
  const parts = {
    who: whoOf(context, entry, known),
    ...(details && partsOf(context, details, known)),
  };
  const sentence = template === undefined ? undefined : fill(template, parts);
  if (sentence) return sentence;
  const changes = readChanges(entry.subject);
  const rest = changes ? sayChanges(context, { changes }, known) : entry.subject;
  const action = new Map(Object.entries<string>(text.kinds)).get(entry.action) ?? entry.action;
  return (
    fill(text.unknown, { ...parts, action: { text: action }, subject: toPart(rest) }) ?? [{ text: action }]
  );
}

export function toHtml(sentence: Part[]): Html {
  return html`${sentence.map(({ text, href, isWhole }) => {
    const said = isWhole ? html`<span class="whole">${text}</span>` : text;
    return href === undefined ? said : html`<a href="${href}">${said}</a>`;
  })}`;
}

export function toText(sentence: Part[]): string {
  return sentence.map(({ text }) => text).join('');
}

function templateOf(
  sentences: Record<string, string>,
  action: string,
  { voucher, batch, count, changes = {}, fields = [] }: AuditDetails,
): string | undefined {
  const isSwitch = Object.keys(changes).length + fields.length === 1;
  const variants = [
    batch && 'batch',
    !batch && voucher === undefined && 'plain',
    count === 1 && 'one',
    isSwitch && (fields[0] === 'activated' || changes.active === true) && 'on',
    isSwitch && (fields[0] === 'deactivated' || changes.active === false) && 'off',
  ];
  const found = variants.map((variant) => sentences[`${action}:${variant}`]).find(Boolean);
  return found ?? sentences[action];
}

/**
 * Replaces each `{name}` by the part stored under that name. If a part is missing, the text in the square brackets
 * around it is left out; outside square brackets, the result is undefined.
 */
function fill(template: string, parts: Parts): Part[] | undefined {
  const namesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const isKnown = (name: string) => parts[name] !== undefined;
  const needed = template.replace(/\[([^\]]*)\]/g, (_, part: string) =>
    namesIn(part).every(isKnown) ? part : '',
  );
  if (!namesIn(needed).every(isKnown)) return undefined;
  return needed
    .split(/\{(\w+)\}/)
    .map((piece, index) => (index % 2 === 1 ? parts[piece] : undefined) ?? { text: piece })
    .filter(({ text }) => text !== '');
}

function toPart(text: string | undefined): Part | undefined {
  return text ? { text } : undefined;
}

function whoOf({ messages }: PageContext, { actor }: FoundEntry, { users, keys }: Known): Part {
  const { actors } = messages.admin.audit;
  const { kind, id, name } = actor;
  if (kind === 'user')
    return {
      text: name || messages.list.removedUser,
      href: id !== null && users.has(id) ? `/users/${id}` : undefined,
    };
  if (kind === 'key') return { text: actors.key(name), href: keyPage(keys.get(id ?? '')) };
  if (kind === 'screen') return { text: actors.screen(name) };
  if (kind === 'command') return { text: actors.command(name) };
  if (kind === 'controller') return { text: actors.controller };
  return { text: new Map(Object.entries<unknown>(actors)).get(name)?.toString() ?? name };
}

function keyPage(key: KeySummary | undefined): string | undefined {
  return key && key.revokedAtMs === null ? `/keys/${key.id}` : undefined;
}

function partsOf(context: PageContext, details: AuditDetails, known: Known): Parts {
  const { audit: text } = context.messages.admin;
  const { voucher, batch, site, user, key, profile, webhook, printer, screen } = details;
  const { delivery, request, name, count } = details;
  const numbered = (id: string | null) => (id === null ? '' : text.numbered(id));
  const siteNow = known.sites.get(site?.id ?? '');
  const code = known.codes.get(voucher ?? '');
  const userNow =
    user &&
    [...known.users.values()].find(({ id, email }) =>
      user.id === null ? email === user.name : String(id) === user.id,
    );
  const keyNow = known.keys.get(key?.id ?? '');
  const profileNow = known.profiles.get(profile?.id ?? '');
  const webhookNow = known.things.get(`webhook ${webhook?.id}`);
  const keyName = key && (key.name || keyNow?.name || key.id);
  const profileName = profile && (profile.name || profileNow?.name);
  return {
    voucher:
      code === undefined
        ? toPart(voucher && text.numbered(voucher))
        : {
            text: formatCode(code),
            isWhole: true,
            href: site && !siteNow?.active ? undefined : `/vouchers/${voucher}`,
          },
    batch: batch && {
      text: shownName(batch),
      href: known.batches.has(batch.id ?? '') && siteNow?.active ? `/batches/${batch.id}` : undefined,
    },
    site: site && {
      text: site.name || siteNow?.name || numbered(site.id),
      href: siteNow && `/sites/${siteNow.id}`,
    },
    user: user && { text: user.name, href: userNow && `/users/${userNow.id}` },
    key: key && { text: text.quoted(keyName ?? ''), href: keyPage(keyNow) },
    profile: profile && {
      text: profileName ? text.quoted(profileName) : numbered(profile.id),
      href: profileNow && `/profiles/${profileNow.id}`,
    },
    webhook: webhook && {
      text: webhook.name || (webhookNow?.name ?? numbered(webhook.id)),
      href: webhookNow?.href,
    },
    printer: printer && { text: text.quoted(printer.name) },
    screen: screen && { text: text.quoted(screen.name) },
    copy: toPart(details.isCopy && text.asCopy),
    delivery: toPart(delivery && text.numbered(delivery)),
    request: toPart(request && text.numbered(request)),
    name: toPart(name && shownName({ name })),
    made: toPart([user?.name ?? [], site?.name ?? [], key?.id ? text.keyMade(key.id) : []].flat().join(', ')),
    cause: toPart(details.cause && sayCause(context, readCause(details.cause))),
    count: toPart(count?.toLocaleString(context.language)),
    vouchers: toPart(count === undefined ? '' : text.vouchers(count)),
    changes: toPart(details.counts ? sayCounts(context, details) : sayChanges(context, details, known)),
  };
}
