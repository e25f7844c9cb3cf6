// The form for a logo. It shows the current logo, and can replace or remove it.

import type { ImageIssue } from '../../../domain/settings/image-check.ts';
import { type Image, versionOf } from '../../../domain/settings/settings.ts';
import type { AuthenticatedContext } from '../../http/context.ts';
import { type Html, html } from '../../ui/html.ts';
import { formToken } from '../../ui/layout.ts';

interface LogoInput {
  /** The path the form is posted to, for example `/settings/logo` or `/sites/1/logo`. */
  action: string;
  /** The URL of the current logo; undefined if there is none. */
  src: string | undefined;
  issue?: ImageIssue | undefined;
}

export function siteLogoSrc(siteId: number, image: Image | undefined): string | undefined {
  return image && `/sites/${siteId}/logo-image?v=${versionOf(image)}`;
}

export function logoForm(context: AuthenticatedContext, { action, src, issue }: LogoInput): Html {
  const { logo: text } = context.messages;
  const described = [issue && 'logo-error', 'logo-hint'].filter(Boolean).join(' ');
  return html`${
    src === undefined
      ? html`<p class="soft">${text.none}</p>`
      : html`<div class="logo-now"><img class="logo" src="${src}" alt="${text.present}">
<form method="post" action="${action}/remove">${formToken(context)}<button class="button risky" type="submit">${text.remove}</button></form></div>`
  }
<form method="post" action="${action}" enctype="multipart/form-data" data-working="${text.working}" novalidate>${formToken(context)}
<div class="field"><label for="logo">${text.choose}</label>
<input id="logo" name="logo" type="file" accept="image/png,image/jpeg" required aria-describedby="${described}"${issue && html` aria-invalid="true"`}>
<span class="hint" id="logo-hint">${text.hint}</span>
${issue && html`<span class="error" id="logo-error">${text.issues[issue]}</span>`}</div>
<button class="button primary" type="submit">${text.upload}</button></form>`;
}
