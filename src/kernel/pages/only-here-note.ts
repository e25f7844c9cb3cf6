// A warning beside a link that works on the machine of the service only. It leads to the setting of the public address.

import { type Html, html } from '../../platform/pages/ui/html.ts';
import type { AuthenticatedContext } from './context.ts';
import { isOnlyHere } from './link-to.ts';
import { note } from './message.ts';

export function onlyHereNote(context: AuthenticatedContext): Html | false {
  const { onlyHere } = context.messages.invitation;
  return isOnlyHere(context) && note('warning', html`${onlyHere} ${toPublicUrl(context)}`);
}

export function toPublicUrl({ messages }: AuthenticatedContext): Html {
  return html`<a href="/settings#public-url-card">${messages.invitation.setAddress}</a>`;
}
