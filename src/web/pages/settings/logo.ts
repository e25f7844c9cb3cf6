// Logos: the installation's logo, also shown on the login page, and the logo of each site for its slips. The bytes of
// an upload are checked, and a logo is served so that browsers treat it as an image only.

import { asSiteId } from '../../../domain/ids.ts';
import { type Image, type ImageStore, versionOf } from '../../../domain/settings/settings.ts';
import type { Site, SiteStore } from '../../../domain/sites/site.ts';
import type { User } from '../../../domain/users/user.ts';
import { MAX_INTEGER } from '../../../domain/vouchers/voucher-order.ts';
import { namesTag } from '../../../http/if-none-match.ts';
import { type AuthenticatedContext, auditContextOf, type PageContext } from '../../http/context.ts';
import { problemPage } from '../../http/problem-page.ts';
import type { Route } from '../../http/route.ts';
import { type Html, html } from '../../ui/html.ts';
import { formToken, redirect, renderPage } from '../../ui/layout.ts';
import { checkImage, type ImageIssue } from './image-check.ts';

interface Deps {
  images: ImageStore;
  sites: Pick<SiteStore, 'find'>;
  sitesFor(user: User): Promise<Site[]>;
  /** Shows the settings page with the issue of the rejected image. */
  showSettings(context: AuthenticatedContext, issue: ImageIssue): Response | Promise<Response>;
}

type Run = (context: AuthenticatedContext, site: Site) => Response | Promise<Response>;

export function makeLogoPages({ images, sites, sitesFor, showSettings }: Deps): Route[] {
  const path = '/sites/:site';
  return [
    {
      method: 'GET',
      path: '/logo',
      access: 'anyone',
      run: async (context) => give(context, await images.find('logo')),
    },
    { method: 'POST', path: '/settings/logo', access: 'admin', takesFile: true, run: saveOwn },
    { method: 'POST', path: '/settings/logo/remove', access: 'admin', run: removeOwn },
    { method: 'GET', path: `${path}/logo-image`, access: 'operator', run: on(giveOfSite) },
    {
      method: 'POST',
      path: `${path}/logo`,
      formAt: `${path}/slip`,
      access: 'admin',
      takesFile: true,
      run: on(saveOfSite),
    },
    {
      method: 'POST',
      path: `${path}/logo/remove`,
      formAt: `${path}/slip`,
      access: 'admin',
      run: on(removeOfSite),
    },
  ];

  function on(run: Run): (context: AuthenticatedContext) => Promise<Response> {
    return async function withSite(context) {
      const text = context.parameters.site ?? '';
      const id = /^\d{1,10}$/.test(text) && Number(text) <= MAX_INTEGER ? Number(text) : 0;
      const site = await sites.find(asSiteId(id));
      return site ? run(context, site) : problemPage(context, 404, context.messages.problem.notFound);
    };
  }

  async function saveOwn(context: AuthenticatedContext) {
    const checked = checkImage(context.file ?? Buffer.alloc(0));
    if (!checked.ok) return showSettings(context, checked.problem);
    await images.save('logo', checked.value, auditContextOf(context));
    return redirect(context, '/settings', 'logoSaved');
  }

  async function removeOwn(context: AuthenticatedContext) {
    await images.remove('logo', auditContextOf(context));
    return redirect(context, '/settings', 'logoRemoved');
  }

  async function giveOfSite(context: AuthenticatedContext, { id }: Site) {
    const mayUse =
      context.user.role === 'admin' || (await sitesFor(context.user)).some((site) => site.id === id);
    return give(context, mayUse ? await images.find(`site-${id}`) : undefined);
  }

  /** Shows the form with the issue. Otherwise the form is part of the site's slip page. */
  async function showRefused(context: AuthenticatedContext, site: Site, issue: ImageIssue) {
    const { logo: text } = context.messages;
    const title = text.of(site.name);
    const src = siteLogoSrc(site.id, await images.find(`site-${site.id}`));
    return renderPage(context, {
      title,
      issues: { logo: text.issues[issue] },
      content: html`<section class="card"><h1>${title}</h1>${logoForm(context, { action: `/sites/${site.id}/logo`, src, issue })}</section>
<p><a class="button" href="/sites/${site.id}/slip">${text.back}</a></p>`,
    });
  }

  async function saveOfSite(context: AuthenticatedContext, site: Site) {
    const checked = checkImage(context.file ?? Buffer.alloc(0));
    if (!checked.ok) return showRefused(context, site, checked.problem);
    await images.save(`site-${site.id}`, checked.value, auditContextOf(context));
    return redirect(context, `/sites/${site.id}/slip`, 'logoSaved');
  }

  async function removeOfSite(context: AuthenticatedContext, { id }: Site) {
    await images.remove(`site-${id}`, auditContextOf(context));
    return redirect(context, `/sites/${id}/slip`, 'logoRemoved');
  }
}

/**
 * Browsers may cache a logo for an hour, because the version in its URL changes with the image. The sandbox policy
 * disables all active content if the logo is opened directly.
 */
function give(context: PageContext, image: Image | undefined): Response {
  if (!image) return problemPage(context, 404, context.messages.problem.notFound);
  const etag = `"${versionOf(image)}"`;
  const headers = {
    'content-type': image.type,
    'cache-control': 'private, max-age=3600',
    etag,
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  };
  if (namesTag(context.request.headers['if-none-match'] ?? '', etag))
    return context.hono.body(null, 304, headers);
  return context.hono.body(new Uint8Array(image.bytes), 200, headers);
}

interface LogoInput {
  /** The path the form is posted to: `/settings/logo`, `/sites/1/logo`. */
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
