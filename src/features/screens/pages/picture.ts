// The picture that all kiosks of a site show. It is checked and stored like a logo.

import { type AuthenticatedContext, auditContextOf } from '../../../kernel/pages/context.ts';
import { formToken, redirect, renderPage } from '../../../kernel/pages/layout.ts';
import type { Route } from '../../../kernel/pages/route.ts';
import { checkImage, type ImageIssue } from '../../../kernel/settings/image-check.ts';
import { giveImage } from '../../../kernel/settings/pages/logo.ts';
import { logoField } from '../../../kernel/settings/pages/logo-form.ts';
import { versionOf } from '../../../kernel/settings/settings.ts';
import { withSite } from '../../../kernel/sites/pages/with-site.ts';
import type { Site } from '../../../kernel/sites/site.ts';
import { screensStylesheet } from '../../../platform/pages/assets.ts';
import { html } from '../../../platform/pages/ui/html.ts';
import { SCREEN_TEXTS } from '../screen-texts.ts';

const path = '/sites/:site/picture';
const permission = 'admin';

export const pictureRoutes: Route[] = [
  { method: 'GET', path, permission, run: withSite((context, site) => show(context, site)) },
  { method: 'POST', path, permission, takesFile: true, run: withSite(save) },
  { method: 'POST', path: `${path}/remove`, permission, run: withSite(remove) },
  {
    method: 'GET',
    path: '/sites/:site/picture-image',
    permission,
    run: withSite(async (context, { id }) =>
      giveImage(context, await context.app.images.find(`screen-${id}`)),
    ),
  },
];

async function save(context: AuthenticatedContext, site: Site): Promise<Response> {
  const checked = checkImage(context.file ?? Buffer.alloc(0));
  if (!checked.ok) return show(context, site, checked.problem);
  await context.app.images.save(`screen-${site.id}`, checked.value, auditContextOf(context));
  return redirect(context, `/sites/${site.id}/picture`, 'pictureSaved');
}

async function remove(context: AuthenticatedContext, { id }: Site): Promise<Response> {
  await context.app.images.remove(`screen-${id}`, auditContextOf(context));
  return redirect(context, `/sites/${id}/picture`, 'pictureRemoved');
}

async function show(
  context: AuthenticatedContext,
  { id, name }: Site,
  issue?: ImageIssue,
): Promise<Response> {
  const { logo } = context.messages;
  const text = SCREEN_TEXTS[context.language];
  const image = await context.app.images.find(`screen-${id}`);
  const error = issue && logo.issues[issue];
  return renderPage(context, {
    stylesheets: [screensStylesheet],
    title: text.pictureOf(name),
    under: '/screens',
    issues: { logo: error },
    content: html`<section class="card"><h1>${text.pictureOf(name)}</h1><p>${text.pictureWhat}</p>
${
  image
    ? html`<div class="picture-now"><img src="/sites/${id}/picture-image?v=${versionOf(image)}" alt="${text.picturePresent}"><form method="post" action="/sites/${id}/picture/remove">${formToken(context)}<button class="button risky" type="submit">${text.pictureRemove}</button></form></div>`
    : html`<p class="soft">${text.pictureNone}</p>`
}
<form method="post" action="/sites/${id}/picture" enctype="multipart/form-data" data-working="${logo.working}" novalidate>${formToken(context)}
${logoField(context, { error, hint: text.pictureHint })}
<div class="actions"><button class="button primary" type="submit">${text.pictureUpload}</button><a class="button" href="/screens#site-${id}">${text.pictureBack}</a></div></form></section>`,
  });
}
