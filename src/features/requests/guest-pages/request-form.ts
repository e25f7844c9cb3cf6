// The form with which a guest asks for a voucher, on the public page and at a kiosk.

import type { PageContext } from '../../../kernel/pages/context.ts';
import type { FieldIssues } from '../../../kernel/pages/message.ts';
import { textArea, textField } from '../../../platform/pages/ui/fields.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { isPathToken, makePathToken } from '../../../platform/secrets/token.ts';
import { REQUEST_FIELDS, type RequestField, type RequestIssues, type TypedRequest } from '../read-request.ts';
import { GUEST_REQUEST_TEXTS } from '../request-texts.ts';

/** The field with the token of the new request: a form that is sent twice makes only one request. */
const TOKEN_FIELD = 'request';

export function readTyped({ form }: PageContext): TypedRequest {
  const typed = (name: RequestField) => form.get(name) ?? '';
  return { name: typed('name'), host: typed('host'), note: typed('note') };
}

export function readRequestToken({ form }: PageContext): string | null {
  return form.get(TOKEN_FIELD);
}

export function sayIssues({ language }: PageContext, issues: RequestIssues): FieldIssues {
  const said: Record<string, string> = {};
  for (const field of ['name', 'host', 'note'] as const) {
    const issue = issues[field];
    if (issue) said[field] = GUEST_REQUEST_TEXTS[language].issues[issue](REQUEST_FIELDS[field].maxLength);
  }
  return said;
}

interface Form {
  action: string;
  issues: FieldIssues;
  /** Further hidden fields, such as the form token of a screen. */
  hidden?: Html;
  /** Further fields below the message of the guest. */
  more?: Html | undefined;
}

export function requestForm(context: PageContext, { action, issues, hidden, more }: Form): Html {
  const { language } = context;
  const text = GUEST_REQUEST_TEXTS[language];
  const typed = readTyped(context);
  const known = readRequestToken(context);
  const token = known !== null && isPathToken(known) ? known : makePathToken().token;
  const field = (name: RequestField) => ({
    name,
    label: text.fields[name].label,
    value: typed[name],
    maxlength: REQUEST_FIELDS[name].maxLength,
    error: issues[name],
  });
  return html`<form method="post" action="${action}" novalidate data-working="${text.sending}"><input type="hidden" name="${TOKEN_FIELD}" value="${token}"><input type="hidden" name="lang" value="${language}">${hidden}
${textField({ ...field('name'), required: true, autocomplete: 'name' })}${textField(field('host'))}${textArea(field('note'))}${more}
<div class="actions"><button class="button primary" type="submit">${text.send}</button></div></form>`;
}
