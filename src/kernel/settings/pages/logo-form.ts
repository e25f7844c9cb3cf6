// The form for the logo of the installation, and the field for a logo, which the slip designer has, too.

import { type Html, html } from '../../../platform/pages/ui/html.ts';
import type { AuthenticatedContext } from '../../pages/context.ts';
import { formToken } from '../../pages/layout.ts';
import type { ImageIssue } from '../image-check.ts';
import { type Image, versionOf } from '../settings.ts';

interface LogoInput {
  /** The URL of the current logo; undefined if there is none. */
  src: string | undefined;
  issue?: ImageIssue | undefined;
}

export function siteLogoSrc(siteId: number, image: Image | undefined): string | undefined {
  return image && `/sites/${siteId}/logo-image?v=${versionOf(image)}`;
}

export function logoForm(context: AuthenticatedContext, { src, issue }: LogoInput): Html {
  const { logo: text } = context.messages;
  return html`${
    src === undefined
      ? html`<p class="soft">${text.none}</p>`
      : html`<div class="logo-now"><img class="logo" src="${src}" alt="${text.present}">
<form method="post" action="/settings/logo/remove">${formToken(context)}<button class="button risky" type="submit">${text.remove}</button></form></div>`
  }
<form method="post" action="/settings/logo" enctype="multipart/form-data" data-working="${text.working}" novalidate>${formToken(context)}
${logoField(context, { error: issue && text.issues[issue], hint: text.hint })}
<button class="button primary" type="submit">${text.upload}</button></form>`;
}

/** It must be the last field of its form: if the file is too large, the fields after it are lost. */
export function logoField(
  context: AuthenticatedContext,
  { error, hint }: { error: string | undefined; hint: string },
): Html {
  const { logo: text } = context.messages;
  const described = [error && 'logo-error', 'logo-hint'].filter(Boolean).join(' ');
  return html`<div class="field"><label for="logo">${text.choose}</label>
<input id="logo" name="logo" type="file" accept="image/png,image/jpeg" aria-describedby="${described}"${error && html` aria-invalid="true"`}>
<span class="hint" id="logo-hint">${hint}</span>
${error && html`<span class="error" id="logo-error">${error}</span>`}</div>`;
}
