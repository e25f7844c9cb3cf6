// Shows and reads the form for the identity provider and the related settings.

import type { AuthenticatedContext } from '../../../kernel/pages/context.ts';
import { formToken } from '../../../kernel/pages/layout.ts';
import { linkTo } from '../../../kernel/pages/link-to.ts';
import { note } from '../../../kernel/pages/message.ts';
import { onlyHereNote } from '../../../kernel/pages/only-here-note.ts';
import { settingHelp } from '../../../kernel/settings/pages/setting-help.ts';
import { factList } from '../../../platform/pages/ui/fact-list.ts';
import { selectField, textField } from '../../../platform/pages/ui/fields.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { hasInvisible } from '../../../platform/text/invisible.ts';
import { DEFAULT_SCOPES, isIssuer, type ProviderCredentials } from '../identity-provider.ts';
import { MAX_LABEL_LENGTH, type SingleSignOn, type SingleSignOnChange } from '../single-sign-on.ts';
import { SINGLE_SIGN_ON_TEXTS } from '../single-sign-on-texts.ts';
import { CALLBACK_PATH } from './send-to-provider.ts';

export type ProviderIssues = Partial<Record<'issuer' | 'client-id' | 'scopes' | 'label', string>>;

interface ProviderReading {
  change: SingleSignOnChange;
  issues: ProviderIssues;
}

export function readProviderForm(context: AuthenticatedContext, current: SingleSignOn): ProviderReading {
  const text = SINGLE_SIGN_ON_TEXTS[context.language];
  const typed = (name: string) => (context.form.get(name) ?? '').trim();
  const label = typed('label');
  const isLabel = [...label].length <= MAX_LABEL_LENGTH && !hasInvisible(label);
  const choices = {
    label,
    hidesPasswordForm: typed('password-form') === 'hidden',
    trustsEmail: typed('emails') === 'all',
  };
  const issues: ProviderIssues = isLabel ? {} : { label: text.labelWrong };
  if (current.isFromEnvironment) return { change: choices, issues };

  const provider: ProviderCredentials = {
    // Administrators may paste the URL of the provider's configuration document instead of the issuer.
    issuer: typed('issuer').replace(/\/\.well-known\/openid-configuration$/, ''),
    clientId: typed('client-id'),
    clientSecret: typed('client-secret') || null,
    scopes: typed('scopes').split(/\s+/).join(' ') || DEFAULT_SCOPES,
  };
  if (!isIssuer(provider.issuer)) issues.issuer = text.issuerWrong;
  if (provider.clientId === '') issues['client-id'] = text.clientIdMissing;
  if (!provider.scopes.split(' ').includes('openid')) issues.scopes = text.scopesWrong;
  return { change: { ...choices, provider: keepSecret(provider, current.provider) }, issues };
}

/** An empty secret field keeps the stored secret only for the same issuer and client id: nobody else may receive it. */
function keepSecret(typed: ProviderCredentials, stored: ProviderCredentials | null): ProviderCredentials {
  const isSame = stored?.issuer === typed.issuer && stored.clientId === typed.clientId;
  return { ...typed, clientSecret: typed.clientSecret ?? (isSame ? stored.clientSecret : null) };
}

export function providerForm(
  context: AuthenticatedContext,
  current: SingleSignOn,
  issues: ProviderIssues,
): Html {
  const { messages, form, language } = context;
  const text = SINGLE_SIGN_ON_TEXTS[language];
  const { provider, label, hidesPasswordForm, trustsEmail, isFromEnvironment } = current;
  const typed = (name: string, now: string | undefined) => form.get(name) ?? now ?? '';
  const choices = (of: Record<string, string>) =>
    Object.entries(of).map(([value, shown]) => ({ value, label: shown }));
  const fields = html`${textField({ name: 'issuer', label: text.issuer, type: 'url', value: typed('issuer', provider?.issuer), hint: text.issuerHint, error: issues.issuer, required: true })}
${textField({ name: 'client-id', label: text.clientId, value: typed('client-id', provider?.clientId), error: issues['client-id'], required: true })}
${textField({ name: 'client-secret', label: text.secret, type: 'password', hint: provider?.clientSecret ? text.secretKept : text.secretHint, autocomplete: 'new-password' })}
${textField({ name: 'scopes', label: text.scopes, value: typed('scopes', provider?.scopes ?? DEFAULT_SCOPES), hint: text.scopesHint, error: issues.scopes })}`;
  return html`<p>${text.addresses}</p>
${factList([
  [text.redirectUri, linkTo(context, CALLBACK_PATH)],
  [text.logoutUri, linkTo(context, '/login')],
])}
${onlyHereNote(context)}
<form method="post" action="/settings/single-sign-on" novalidate>${formToken(context)}
${isFromEnvironment ? environmentFacts(context, provider) : fields}
${textField({ name: 'label', label: text.label, value: typed('label', label), hint: text.labelHint, error: issues.label })}
${selectField({ name: 'password-form', label: text.hides, value: typed('password-form', hidesPasswordForm ? 'hidden' : 'shown'), hint: text.hidesHint, choices: choices(text.hidesChoices) })}
${selectField({ name: 'emails', label: text.trusts, value: typed('emails', trustsEmail ? 'all' : 'verified'), hint: text.trustsHint, choices: choices(text.trustsChoices) })}
<div class="actions"><button class="button primary" type="submit">${messages.admin.save}</button>
${provider !== null && !isFromEnvironment && html`<a class="button risky" href="/settings/single-sign-on/remove">${text.remove}</a>`}</div></form>`;
}

function environmentFacts(context: AuthenticatedContext, provider: ProviderCredentials | null): Html {
  const text = SINGLE_SIGN_ON_TEXTS[context.language];
  return html`${note('info', text.fromEnvironment)}
${factList([
  [text.issuer, provider?.issuer],
  [text.clientId, provider?.clientId],
  [text.scopes, provider?.scopes],
])}${settingHelp(context, { name: 'OIDC_ISSUER', value: provider?.issuer })}`;
}
