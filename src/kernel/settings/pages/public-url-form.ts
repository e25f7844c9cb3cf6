// The card for the public address on the settings page. If PUBLIC_URL is set in the environment, it only shows the
// address.

import { isIP } from 'node:net';
import { textField } from '../../../platform/pages/ui/fields.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { urlOf } from '../../contract/openapi-handler.ts';
import type { AuthenticatedContext, PageContext } from '../../pages/context.ts';
import { formToken } from '../../pages/layout.ts';
import { isClientOnThisMachine } from '../../pages/link-to.ts';
import { note } from '../../pages/message.ts';
import { settingHelp } from './setting-help.ts';

export const FIELD = 'public-url';

export function publicUrlCard(context: AuthenticatedContext, error: string | undefined): Html {
  const { publicUrl: text } = context.messages.settings;
  return html`<section class="card" id="${FIELD}-card"><h2>${text.title}</h2><p>${text.intro}</p>${content(context, error)}</section>`;
}

function content(context: AuthenticatedContext, error: string | undefined): Html {
  const { app, messages } = context;
  const { publicUrl: text } = messages.settings;
  const { environmentPublicUrl: value } = app;
  if (value === undefined) return addressForm(context, error);
  return html`${note('info', text.fromEnvironment(value))}${settingHelp(context, { name: 'PUBLIC_URL', value })}`;
}

function addressForm(context: AuthenticatedContext, error: string | undefined): Html {
  const { form, messages, settings } = context;
  const { publicUrl: text } = messages.settings;
  const value = form.get(FIELD) ?? settings.publicUrl ?? suggest(context);
  const hint = value !== '' && value === originSeen(context) ? text.openHere : text.hint;
  return html`<form method="post" action="/settings/public-url" novalidate>${formToken(context)}
${textField({ name: FIELD, label: text.label, type: 'url', value, hint, error })}
<button class="button primary" type="submit">${text.save}</button></form>`;
}

/** The address under which this page was opened, unless it is an IP address or works on this machine only. */
function suggest(context: AuthenticatedContext): string {
  const seen = originSeen(context);
  const isName = isIP(new URL(seen).hostname.replace(/^\[|\]$/g, '')) === 0;
  return isName && !isClientOnThisMachine(context) ? seen : '';
}

/** The origin of this request, as the service sees it: from the Host header, and from a trusted proxy its protocol. */
export function originSeen({ request }: Pick<PageContext, 'request'>): string {
  return new URL(urlOf(request, '')).origin;
}
