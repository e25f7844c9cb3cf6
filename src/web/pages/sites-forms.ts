// The forms about sites: how their fields are read and shown. Credentials are read from a form and never
// written into one.

import { CONTROLLER_KINDS, type ControllerKind } from '../../domain/controller.ts';
import { toConsoleAddress } from '../../domain/sites/console-address.ts';
import type { Credentials, TlsTrust } from '../../domain/sites/controller-access.ts';
import { selectField, textField } from '../fields.ts';
import { type Html, html } from '../html.ts';
import type { UserVisit } from '../visit.ts';

const LONGEST_NAME = 100;
const LONGEST_ADDRESS = 500;
const LONGEST_SECRET = 1_000;
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

export type Faults = Partial<
  Record<'name' | 'site' | 'url' | 'kind' | 'api-key' | 'username' | 'password', string>
>;

export const hasFaults = (faults: Faults) => Object.keys(faults).length > 0;

export interface Basics {
  name: string;
  importsForeign: boolean;
}

export function readBasics(visit: UserVisit): { basics: Basics; faults: Faults } {
  const { form } = visit;
  const name = (form.get('name') ?? '').trim();
  const nameFault = faultOf(visit, name);
  return {
    basics: { name, importsForeign: form.get('import') !== 'off' },
    faults: nameFault ? { name: nameFault } : {},
  };
}

/** Chosen from a list, or typed where there is none. */
export function readControllerSite(visit: UserVisit): { controllerSite: string; fault: string | undefined } {
  const controllerSite = (visit.form.get('site') ?? '').trim();
  return { controllerSite, fault: faultOf(visit, controllerSite) };
}

function faultOf({ words: { admin } }: UserVisit, text: string): string | undefined {
  if (text === '') return admin.sites.missing;
  if ([...text].length > LONGEST_NAME) return admin.sites.tooLong(LONGEST_NAME);
  return INVISIBLE.test(text) ? admin.sites.invisible : undefined;
}

export function readKind({ form }: UserVisit): ControllerKind | undefined {
  return CONTROLLER_KINDS.find((kind) => kind === form.get('kind'));
}

/** As it is stored: `https`, nothing but host, port and path. Who leaves out the `https://` means it. */
export function readAddress({ form }: UserVisit): string | undefined {
  const typed = (form.get('url') ?? '').trim();
  if (typed === '' || typed.length > LONGEST_ADDRESS) return undefined;
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`);
  const isPlain = url && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  return isPlain && url.protocol === 'https:' ? toConsoleAddress(url) : undefined;
}

/** What was confirmed in the step before. There is no way to trust just anybody. */
export function readTrust({ form }: UserVisit): TlsTrust | undefined {
  const text = form.get('trust') ?? '';
  if (text === 'ca') return { kind: 'ca' };
  return /^[0-9A-F]{64}$/.test(text) ? { kind: 'pinned', fingerprint256: text } : undefined;
}

export function readCredentials(
  visit: UserVisit,
  kind: ControllerKind,
  kept: Credentials | undefined,
): { credentials?: Credentials; faults: Faults } {
  const { form, words } = visit;
  const { sites: text } = words.admin;
  const [apiKey, username] = [(form.get('api-key') ?? '').trim(), (form.get('username') ?? '').trim()];
  const password = form.get('password') ?? '';
  if (kept && apiKey === '' && username === '' && password === '') return { credentials: kept, faults: {} };
  const fault = (secret: string) => {
    if (secret === '') return text.missing;
    if (secret.length > LONGEST_SECRET) return text.tooLong(LONGEST_SECRET);
    return INVISIBLE.test(secret) ? text.invisible : undefined;
  };
  if (kind === 'unifi') {
    const keyFault = fault(apiKey);
    return keyFault ? { faults: { 'api-key': keyFault } } : { credentials: { apiKey }, faults: {} };
  }
  const userFault = fault(username) ?? (username.includes('@') ? text.cloud : undefined);
  const passwordFault = fault(password);
  const faults = {
    ...(userFault && { username: userFault }),
    ...(passwordFault && { password: passwordFault }),
  };
  return hasFaults(faults) ? { faults } : { credentials: { username, password }, faults };
}

export function basicFields(visit: UserVisit, shown: Basics, faults: Faults): Html {
  const { sites: text, yes, no } = visit.words.admin;
  return html`${textField({ name: 'name', label: text.name, hint: text.nameHint, value: shown.name, error: faults.name, required: true })}
${selectField({
  name: 'import',
  label: text.imports,
  hint: text.importsHint,
  value: shown.importsForeign ? 'on' : 'off',
  choices: [
    { value: 'on', label: yes },
    { value: 'off', label: no },
  ],
})}`;
}

export function controllerSiteField(
  { words: { admin } }: UserVisit,
  wish: { value: string; hint: string; error?: string | undefined },
): Html {
  return textField({ name: 'site', label: admin.sites.controllerSite, ...wish, required: true });
}

export function kindField({ words: { admin } }: UserVisit, value: string, error?: string): Html {
  const { sites: text } = admin;
  const choices = CONTROLLER_KINDS.map((kind) => ({ value: kind, label: text.kinds[kind] }));
  return selectField({ name: 'kind', label: text.kind, hint: text.kindHint, value, choices, error });
}

/** Always empty: what is stored, or was typed a moment ago, is not repeated. */
export function credentialFields(
  { words: { admin } }: UserVisit,
  { kind, faults, required }: { kind: ControllerKind; faults: Faults; required: boolean },
): Html {
  const { sites: text } = admin;
  if (kind === 'unifi')
    return textField({
      name: 'api-key',
      label: text.apiKey,
      type: 'password',
      hint: text.apiKeyHint,
      error: faults['api-key'],
      required,
      autocomplete: 'new-password',
    });
  return html`${textField({ name: 'username', label: text.username, hint: text.usernameHint, error: faults.username, required })}
${textField({ name: 'password', label: text.password, type: 'password', error: faults.password, required, autocomplete: 'new-password' })}`;
}

export function hiddenFields(fields: Record<string, string>): Html {
  return html`${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;
}

/** In pairs, as people compare them, broken only between groups of four. */
export function sayFingerprint(hex: string): Html {
  const groups = hex.match(/.{1,8}/g) ?? [];
  const pairs = groups.map((group) => group.replace(/(..)(?=.)/g, '$1:'));
  return html`${pairs.map((group, index) => html`${index > 0 && html`:<wbr>`}${group}`)}`;
}
