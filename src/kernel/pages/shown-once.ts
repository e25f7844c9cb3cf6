// Shows a new secret once, with buttons to copy it and to save it as a file.

import { type Html, html } from '../../platform/pages/ui/html.ts';
import { icon } from '../../platform/pages/ui/icons.ts';
import type { AuthenticatedContext } from './context.ts';
import { note } from './message.ts';

export function shownOnce(
  { messages: { admin, result } }: AuthenticatedContext,
  secret: string,
  back: string,
): Html {
  return html`<div class="secret">${note('warning', admin.once)}
<p><code class="secret-text">${secret}</code></p>
<div class="actions"><button class="button" type="button" hidden data-copy="${secret}" data-copied="${result.copied}">${icon('copy')}<span>${admin.copy}</span></button>
<button class="button" type="button" hidden data-save="gastpass.txt">${admin.saveAsFile}</button>
<a class="button primary" href="${back}">${admin.stored}</a></div></div>`;
}
