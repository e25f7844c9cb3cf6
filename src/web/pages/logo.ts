// Logos: of the whole installation, which also stands at the door, and of each site, for its slips. Taken in
// after a look at their bytes, and given out as nothing but the picture they are.

import { type Image, type ImageStore, versionOf } from '../../domain/house.ts';
import { asSiteId } from '../../domain/ids.ts';
import { checkImage, type ImageFault } from '../../domain/image-check.ts';
import type { Site, SiteStore } from '../../domain/sites/site.ts';
import type { User } from '../../domain/users/user.ts';
import { HIGHEST_INTEGER } from '../../domain/vouchers/voucher-order.ts';
import type { Answer } from '../../http/exchange.ts';
import { problemPage } from '../answer-visits.ts';
import { html } from '../html.ts';
import { answerPage, redirect } from '../layout.ts';
import { logoForm, siteLogoSrc } from '../logo-form.ts';
import type { Route } from '../routes.ts';
import { auditOf, type UserVisit, type Visit } from '../visit.ts';

interface Needs {
  images: ImageStore;
  sites: Pick<SiteStore, 'find'>;
  sitesFor(user: User): Promise<Site[]>;
  /** Shows the settings with what is wrong with the picture. */
  showSettings(visit: UserVisit, fault: ImageFault): Answer | Promise<Answer>;
}

type Run = (visit: UserVisit, site: Site) => Answer | Promise<Answer>;

export function makeLogoPages({ images, sites, sitesFor, showSettings }: Needs): Route[] {
  const path = '/sites/:site';
  return [
    {
      method: 'GET',
      path: '/logo',
      access: 'anyone',
      run: async (visit) => give(visit, await images.find('logo')),
    },
    { method: 'POST', path: '/settings/logo', access: 'admin', takesFile: true, run: saveOwn },
    { method: 'POST', path: '/settings/logo/remove', access: 'admin', run: removeOwn },
    { method: 'GET', path: `${path}/logo-image`, access: 'operator', run: on(giveOfSite) },
    { method: 'POST', path: `${path}/logo`, access: 'admin', takesFile: true, run: on(saveOfSite) },
    { method: 'POST', path: `${path}/logo/remove`, access: 'admin', run: on(removeOfSite) },
  ];

  function on(run: Run): (visit: UserVisit) => Promise<Answer> {
    return async function withSite(visit) {
      const text = visit.parameters.site ?? '';
      const id = /^\d{1,10}$/.test(text) && Number(text) <= HIGHEST_INTEGER ? Number(text) : 0;
      const site = await sites.find(asSiteId(id));
      return site ? run(visit, site) : problemPage(visit, 404, visit.words.problem.notFound);
    };
  }

  async function saveOwn(visit: UserVisit) {
    const checked = checkImage(visit.file ?? Buffer.alloc(0));
    if (!checked.ok) return showSettings(visit, checked.problem);
    await images.save('logo', checked.value, auditOf(visit));
    return redirect('/settings?saved=logo');
  }

  async function removeOwn(visit: UserVisit) {
    await images.remove('logo', auditOf(visit));
    return redirect('/settings');
  }

  async function giveOfSite(visit: UserVisit, { id }: Site) {
    const mayUse = visit.user.role === 'admin' || (await sitesFor(visit.user)).some((site) => site.id === id);
    return give(visit, mayUse ? await images.find(`site-${id}`) : undefined);
  }

  /** Else it stands on the page of the site's slips. */
  async function showRefused(visit: UserVisit, site: Site, fault: ImageFault) {
    const { logo: text } = visit.words;
    const title = text.of(site.name);
    const src = siteLogoSrc(site.id, await images.find(`site-${site.id}`));
    return answerPage(visit, {
      title,
      status: 422,
      content: html`<section class="card"><h1>${title}</h1>${logoForm(visit, { action: `/sites/${site.id}/logo`, src, fault })}</section>
<p><a class="button" href="/sites/${site.id}/slip">${text.back}</a></p>`,
    });
  }

  async function saveOfSite(visit: UserVisit, site: Site) {
    const checked = checkImage(visit.file ?? Buffer.alloc(0));
    if (!checked.ok) return showRefused(visit, site, checked.problem);
    await images.save(`site-${site.id}`, checked.value, auditOf(visit));
    return redirect(`/sites/${site.id}/slip`);
  }

  async function removeOfSite(visit: UserVisit, { id }: Site) {
    await images.remove(`site-${id}`, auditOf(visit));
    return redirect(`/sites/${id}/slip`);
  }
}

/** Kept by browsers for a while; its address changes with it. Opened by itself, it may do nothing. */
function give(visit: Visit, image: Image | undefined): Answer {
  if (!image) return problemPage(visit, 404, visit.words.problem.notFound);
  const etag = `"${versionOf(image)}"`;
  const headers = {
    'content-type': image.type,
    'cache-control': 'private, max-age=3600',
    etag,
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
  };
  if (visit.request.headers['if-none-match'] === etag) return { status: 304, headers, body: '' };
  return { status: 200, headers, body: image.bytes };
}
