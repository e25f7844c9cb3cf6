// Shows and reads the form for the mail server.

import type { AuthenticatedContext } from '../../../kernel/pages/context.ts';
import { formToken } from '../../../kernel/pages/layout.ts';
import { MAX_PORT, toHost } from '../../../platform/network/host.ts';
import { textArea, textField } from '../../../platform/pages/ui/fields.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { hasInvisible } from '../../../platform/text/invisible.ts';
import { isMailAddress } from '../../../platform/text/mail-address.ts';
import { MAIL_TLS, type MailServer, type MailTls, type StoredMailServer } from '../mail-server.ts';
import { MAIL_SERVER_TEXTS } from '../mail-texts.ts';
import { hasCertificates, isSenderName, MAX_MAILS_PER_HOUR } from '../server-rules.ts';

export type ServerIssues = Partial<
  Record<'host' | 'port' | 'tls' | 'user' | 'password' | 'from-name' | 'from' | 'per-hour' | 'ca', string>
>;

interface ServerReading {
  server?: MailServer;
  issues: ServerIssues;
}

/** No other sealed text begins with this prefix, so no other sealed text is accepted as a password. */
const PURPOSE = 'password of the mail server in a form ';

/** Values that a template fills in. Where the provider's name of the server is known, the template has it. */
export const PICKS = {
  microsoft: { host: 'smtp.office365.com', port: 587, tls: 'required' },
  google: { host: 'smtp.gmail.com', port: 587, tls: 'required' },
  hosting: { host: '', port: 465, tls: 'implicit' },
  relay: { host: '', port: 25, tls: 'off' },
} as const satisfies Record<string, { host: string; port: number; tls: MailTls }>;

export function readServerForm(
  context: AuthenticatedContext,
  stored: StoredMailServer | undefined,
): ServerReading {
  const text = MAIL_SERVER_TEXTS[context.language];
  const typed = (name: string) => (context.form.get(name) ?? '').trim();
  const issues: ServerIssues = {};

  const host = toHost(typed('host'));
  if (host === undefined) issues.host = text.hostWrong;
  const port = readNumber(typed('port'), MAX_PORT);
  if (port === undefined) issues.port = text.portWrong;
  const tls = MAIL_TLS.find((choice) => choice === typed('tls'));
  if (tls === undefined) issues.tls = text.tlsWrong;

  const name = typed('from-name');
  if (!isSenderName(name) || hasInvisible(name)) issues['from-name'] = text.fromNameWrong;
  const address = typed('from');
  if (!isMailAddress(address)) issues.from = text.fromWrong;
  const perHour = typed('per-hour') === '' ? null : readNumber(typed('per-hour'), MAX_MAILS_PER_HOUR);
  if (perHour === undefined) issues['per-hour'] = text.perHourWrong;
  const ca = typed('ca');
  if (ca !== '' && !hasCertificates(ca)) issues.ca = text.caWrong;

  const { credentials, issues: wrong } = readCredentials(
    context,
    stored,
    isSameConnection(stored, { host, port, tls, ca: ca || undefined }),
  );
  Object.assign(issues, wrong);
  if (Object.keys(issues).length > 0 || !host || !port || !tls || perHour === undefined) return { issues };
  const from = { ...(name !== '' && { name }), address };
  return {
    server: { host, port, tls, ...(credentials && { credentials }), ...(ca !== '' && { ca }), from, perHour },
    issues,
  };
}

/**
 * Another port, no encryption or another certificate can bring the password to somebody else, as another server can.
 */
function isSameConnection(
  stored: StoredMailServer | undefined,
  typed: { [part in 'host' | 'port' | 'tls' | 'ca']: MailServer[part] | undefined },
): boolean {
  return (['host', 'port', 'tls', 'ca'] as const).every((part) => stored?.[part] === typed[part]);
}

/**
 * An empty password field keeps the password that was typed before, or the stored one. The stored one is kept only for
 * the same connection and user: nobody else may receive it.
 */
function readCredentials(
  context: AuthenticatedContext,
  stored: StoredMailServer | undefined,
  isSameServer: boolean,
): { credentials?: MailServer['credentials']; issues: ServerIssues } {
  const text = MAIL_SERVER_TEXTS[context.language];
  const username = (context.form.get('user') ?? '').trim();
  const typed = typedPassword(context);
  if (username === '') return typed === '' ? { issues: {} } : { issues: { user: text.userMissing } };
  if (hasLineBreak(username)) return { issues: { user: text.userWrong } };
  if (hasLineBreak(typed)) return { issues: { password: text.passwordWrong } };

  const kept = stored?.credentials;
  const isSame = isSameServer && kept?.username === username;
  const password = typed || (isSame ? kept?.password : undefined);
  if (password) return { credentials: { username, password }, issues: {} };
  return { issues: { password: kept && !isSame ? text.passwordAgain : text.passwordMissing } };
}

function typedPassword({ app, form }: AuthenticatedContext): string {
  const typed = form.get('password') ?? '';
  if (typed !== '') return typed;
  const opened = app.textSeal.open(form.get('sealed') ?? '');
  return opened?.startsWith(PURPOSE) ? opened.slice(PURPOSE.length) : '';
}

function hasLineBreak(text: string): boolean {
  return /[\r\n\0]/.test(text);
}

function readNumber(text: string, max: number): number | undefined {
  return /^[1-9]\d{0,5}$/.test(text) && Number(text) <= max ? Number(text) : undefined;
}

interface Shown {
  stored: StoredMailServer | undefined;
  issues: ServerIssues;
  pick: keyof typeof PICKS | undefined;
}

export function serverForm(context: AuthenticatedContext, { stored, issues, pick }: Shown): Html {
  const { messages, form, app, user, language } = context;
  const text = MAIL_SERVER_TEXTS[language];
  const { credentials, from, perHour, ca } = stored ?? {};
  const first = pick ? PICKS[pick] : { port: 587, tls: 'required', ...stored };
  const value = (name: string, now: string | number | null | undefined) => form.get(name) ?? now ?? '';
  const password = typedPassword(context);
  const isMoreOpen = perHour != null || ca !== undefined || issues['per-hour'] || issues.ca;
  const passwordHint = password ? text.passwordTyped : credentials?.password ? text.passwordKept : undefined;
  return html`<form method="post" action="/settings/e-mail" novalidate>${formToken(context)}
${textField({ name: 'host', label: text.host, value: value('host', first.host), hint: text.hostHint, error: issues.host, required: true })}
${textField({ name: 'port', label: text.port, inputmode: 'numeric', maxlength: 5, value: value('port', first.port), error: issues.port, required: true })}
${tlsField(context, String(value('tls', first.tls)), issues.tls)}
${textField({ name: 'user', label: text.user, value: value('user', credentials?.username), hint: text.userHint, error: issues.user })}
${textField({ name: 'password', label: text.password, type: 'password', hint: passwordHint, error: issues.password, autocomplete: 'new-password' })}
${password !== '' && html`<input type="hidden" name="sealed" value="${app.textSeal.seal(PURPOSE + password)}">`}
${textField({ name: 'from-name', label: text.fromName, value: value('from-name', from?.name ?? (stored ? '' : context.settings.title)), hint: text.fromNameHint, error: issues['from-name'] })}
${textField({ name: 'from', label: text.from, type: 'email', value: value('from', from?.address ?? (isMailAddress(user.email) ? user.email : '')), error: issues.from, required: true })}
<details${isMoreOpen && html` open`}><summary>${text.more}</summary>
${textField({ name: 'per-hour', label: text.perHour, inputmode: 'numeric', maxlength: 6, value: value('per-hour', perHour), hint: text.perHourHint, error: issues['per-hour'] })}
${textArea({ name: 'ca', label: text.ca, value: value('ca', ca), hint: text.caHint, error: issues.ca })}</details>
<div class="actions"><button class="button primary" type="submit">${messages.admin.save}</button>
${stored && html`<a class="button risky" href="/settings/e-mail/remove">${text.remove}</a>`}</div></form>`;
}

function tlsField(context: AuthenticatedContext, chosen: string, issue: string | undefined): Html {
  const text = MAIL_SERVER_TEXTS[context.language];
  const choices: readonly MailTls[] = ['required', 'implicit', 'off'];
  return html`<fieldset class="field"><legend>${text.tls}</legend><div class="presets three">${choices.map(
    (choice, index) =>
      html`<label class="chip"><input${index === 0 && html` id="tls"`} type="radio" name="tls" value="${choice}"${choice === chosen && html` checked`} aria-describedby="${choice}-hint"><span>${text.encryption[choice].label}</span></label>`,
  )}</div>${choices.map((choice) => html`<span class="hint" id="${choice}-hint">${text.encryption[choice].label}: ${text.encryption[choice].hint}</span>`)}
${issue !== undefined && html`<span class="error" id="tls-error">${issue}</span>`}</fieldset>`;
}
