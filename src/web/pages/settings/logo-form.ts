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
  /** The id of a form whose fields are sent with the logo, so that they are kept. By default, only the logo is sent. */
  sentWith?: string;
}

export function siteLogoSrc(siteId: number, image: Image | undefined): string | undefined {
  return image && `/sites/${siteId}/logo-image?v=${versionOf(image)}`;
}

export function logoForm(context: AuthenticatedContext, { action, src, issue, sentWith }: LogoInput): Html {
  const { logo: text } = context.messages;
  const described = [issue && 'logo-error', 'logo-hint'].filter(Boolean).join(' ');
  const owner = sentWith && html` form="${sentWith}"`;
  const removing = `${action}/remove`;
  const removal = html`<button class="button risky" type="submit"${owner && html`${owner} formaction="${removing}"`}>${text.remove}</button>`;
  const upload = html`<div class="field"><label for="logo">${text.choose}</label>
<input id="logo" name="logo" type="file" accept="image/png,image/jpeg"${owner ?? html` required`} aria-describedby="${described}"${issue && html` aria-invalid="true"`}>
<span class="hint" id="logo-hint">${text.hint}</span>
${issue && html`<span class="error" id="logo-error">${text.issues[issue]}</span>`}</div>
<button class="button${!owner && ' primary'}" type="submit"${owner && html`${owner} formaction="${action}" formenctype="multipart/form-data"`}>${text.upload}</button>`;
  return html`${
    src === undefined
      ? html`<p class="soft">${text.none}</p>`
      : html`<div class="logo-now"><img class="logo" src="${src}" alt="${text.present}">
${owner ? removal : html`<form method="post" action="${removing}">${formToken(context)}${removal}</form>`}</div>`
  }
${
  owner
    ? upload
    : html`<form method="post" action="${action}" enctype="multipart/form-data" data-working="${text.working}" novalidate>${formToken(context)}
${upload}</form>`
}`;
}
