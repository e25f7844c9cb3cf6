// The rules on the settings page of single sign-on: the table, the form for a new rule, and the preview of what an
// account with given claims would get.

import { randomUUID } from 'node:crypto';
import type { AuthenticatedContext } from '../../../kernel/pages/context.ts';
import { formToken } from '../../../kernel/pages/layout.ts';
import { message, note } from '../../../kernel/pages/message.ts';
import type { Site } from '../../../kernel/sites/site.ts';
import { siteChips } from '../../../kernel/users/pages/user-form.ts';
import { factList } from '../../../platform/pages/ui/fact-list.ts';
import { selectField, textArea, textField } from '../../../platform/pages/ui/fields.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import type { Claims } from '../identity-provider.ts';
import { grantFor, MAX_RULE_TEXT_LENGTH, matchingRules, type Rule, verifiedEmail } from '../rules.ts';
import type { SingleSignOn } from '../single-sign-on.ts';
import { SINGLE_SIGN_ON_TEXTS } from '../single-sign-on-texts.ts';

/** Reads a new rule from the form. Undefined if the claim or the value is missing or too long. */
export function readRule({ form }: AuthenticatedContext, allSites: Site[]): Rule | undefined {
  const [claim, value] = [(form.get('claim') ?? '').trim(), (form.get('value') ?? '').trim()];
  const isText = (text: string) => text !== '' && text.length <= MAX_RULE_TEXT_LENGTH;
  if (!isText(claim) || !isText(value)) return undefined;
  const role = form.get('role') === 'admin' ? 'admin' : 'operator';
  const chosen = allSites.filter(({ id }) => form.has(`site-${id}`)).map(({ id }) => id);
  return { id: randomUUID(), claim, value, role, siteIds: role === 'admin' ? [] : chosen };
}

export function ruleTable(context: AuthenticatedContext, rules: Rule[], allSites: Site[]): Html {
  const { admin } = context.messages;
  const text = SINGLE_SIGN_ON_TEXTS[context.language];
  if (rules.length === 0) return note('warning', text.noRules);
  const labels = [text.claim, text.value, admin.users.role, admin.users.sites];
  return html`<table><thead><tr>${labels.map((label) => html`<th scope="col">${label}</th>`)}<th scope="col"><span class="hidden-text">${text.removeRule}</span></th></tr></thead><tbody>${rules.map(
    (
      rule,
    ) => html`<tr><td data-label="${text.claim}">${rule.claim}</td><td data-label="${text.value}">${rule.value}</td>
<td data-label="${admin.users.role}">${admin.users[rule.role]}</td><td data-label="${admin.users.sites}">${sitesOf(context, rule, allSites)}</td>
<td class="doing"><form method="post" action="/settings/single-sign-on/rules/remove">${formToken(context)}<button class="button" name="rule" value="${rule.id}" aria-label="${text.removeRuleHidden(rule.claim, rule.value)}">${text.removeRule}</button></form></td></tr>`,
  )}</tbody></table>`;
}

function sitesOf(
  { messages: { admin } }: AuthenticatedContext,
  { role, siteIds }: Pick<Rule, 'role' | 'siteIds'>,
  allSites: Site[],
): string {
  if (role === 'admin') return admin.users.allSites;
  const names = allSites.filter(({ id }) => siteIds.includes(id)).map(({ name }) => name);
  return names.join(', ') || admin.users.noSites;
}

export function ruleForm(context: AuthenticatedContext, allSites: Site[], error: string | undefined): Html {
  const { messages, form, language } = context;
  const { admin } = messages;
  const text = SINGLE_SIGN_ON_TEXTS[language];
  const typed = (name: string) => form.get(name) ?? '';
  const choices = (['operator', 'admin'] as const).map((value) => ({ value, label: admin.users[value] }));
  return html`<form method="post" action="/settings/single-sign-on/rules">${formToken(context)}
${textField({ name: 'claim', label: text.claim, value: typed('claim'), hint: text.claimHint, error, required: true })}
${textField({ name: 'value', label: text.value, value: typed('value'), hint: text.valueHint, required: true })}
${selectField({ name: 'role', label: admin.users.role, value: typed('role') || 'operator', choices })}
${siteChips(context, { siteIds: [], allSites })}
<button class="button" type="submit">${text.addRule}</button></form>`;
}

export interface Preview {
  /** The claims as the administrator typed them, or as the provider sent them. */
  claimsText: string;
  /** Undefined if there is no preview, or if the text is not a JSON object. */
  claims?: Claims;
  isWrong?: boolean;
}

export function readClaims(text: string): Preview {
  try {
    const claims: unknown = JSON.parse(text);
    if (typeof claims === 'object' && claims !== null && !Array.isArray(claims))
      return { claimsText: text, claims: { ...claims } };
  } catch {
    // The text is not JSON. The return statement below reports this.
  }
  return { claimsText: text, isWrong: true };
}

export function previewForm(context: AuthenticatedContext, { claimsText, isWrong }: Preview): Html {
  const text = SINGLE_SIGN_ON_TEXTS[context.language];
  return html`<p>${text.previewIntro}</p><form method="post" action="/settings/single-sign-on/preview">${formToken(context)}
${textArea({ name: 'claims', label: text.claims, value: claimsText, error: isWrong ? text.claimsWrong : undefined })}
<button class="button" type="submit">${text.previewButton}</button></form>`;
}

export function previewResult(
  context: AuthenticatedContext,
  { claims, settings, allSites }: { claims: Claims; settings: SingleSignOn; allSites: Site[] },
): Html {
  const { admin } = context.messages;
  const text = SINGLE_SIGN_ON_TEXTS[context.language];
  const grant = grantFor(claims, settings.rules, settings);
  const email = verifiedEmail(claims, settings);
  if (!grant) return message('error', text.noMatch);
  const matching = matchingRules(claims, settings.rules, settings);
  return html`<div role="status">${factList([
    [text.matches, matching.map(({ claim, value }) => `${claim} = ${value}`).join(', ')],
    [admin.users.role, admin.users[grant.role]],
    [admin.users.sites, sitesOf(context, grant, allSites)],
    [text.account, email === undefined ? text.accountUnverified : text.accountOf(email)],
  ])}</div>`;
}
