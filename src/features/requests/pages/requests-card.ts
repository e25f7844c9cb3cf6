// The card about the request page on the page of a site.

import type { AuthenticatedContext } from '../../../kernel/pages/context.ts';
import { formToken } from '../../../kernel/pages/layout.ts';
import { note } from '../../../kernel/pages/message.ts';
import type { SiteFormIssues } from '../../../kernel/sites/pages/site-forms.ts';
import type { Site } from '../../../kernel/sites/site.ts';
import { textField } from '../../../platform/pages/ui/fields.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { MAX_ADDRESS_LENGTH } from '../../../platform/text/mail-address.ts';
import { REQUEST_TEXTS } from '../request-texts.ts';

export async function requestsCard(
  context: AuthenticatedContext,
  site: Site,
  issues: SiteFormIssues,
): Promise<Html> {
  const { app, messages, form, language } = context;
  const { admin } = messages;
  const text = REQUEST_TEXTS[language];
  const page = await app.guestRequests.findPage(site.id);
  const canMail = (await app.mailServer.find()) !== undefined;
  const button = (below: string, label: string, style = '') =>
    html`<form method="post" action="/sites/${site.id}/requests/${below}">${formToken(context)}<button class="button${style}" type="submit">${label}</button></form>`;
  const mailForm = html`<form method="post" action="/sites/${site.id}/requests/mail" novalidate>${formToken(context)}
${textField({ name: 'requests-mail', label: text.mailTo, type: 'email', value: form.get('requests-mail') ?? page?.mailTo ?? '', maxlength: MAX_ADDRESS_LENGTH, hint: text.mailToHint, error: issues['requests-mail'] })}
${page?.mailTo && !canMail && note('warning', text.mailToOff)}<div class="actions"><button class="button" type="submit">${admin.save}</button></div></form>`;
  return html`<section class="card" id="requests-card"><h2>${text.page}</h2><p class="soft">${text.pageWhat}</p>
${page ? html`<p>${text.pageOn}</p><div class="actions">${button('address', text.show)}<a class="button" href="/sites/${site.id}/requests/off">${text.switchOff}</a></div>${mailForm}` : html`<p>${text.pageOff}</p><div class="actions">${button('on', text.switchOn, ' primary')}</div>`}</section>`;
}
