// How a site introduces itself to its guests in the guest view and on guest pages.

import type { ImageName } from '../../../domain/settings/settings.ts';
import type { SiteSlip, SlipVoucher } from '../../../domain/sites/slip.ts';
import { makeSiteHead, type SiteHead } from '../../../print/site-head.ts';
import type { PageContext } from '../../http/context.ts';
import { type Html, html } from '../../ui/html.ts';
import { icon } from '../../ui/icons.ts';

export function findSiteHead(
  { app, settings }: PageContext,
  voucher: Pick<SlipVoucher, 'siteId' | 'siteName'>,
): Promise<SiteHead> {
  return makeSiteHead(settings, voucher, app.images.find);
}

/** The top of a page for guests. A logo that contains the name of the site stands for it, as on slips. */
export function showSiteHead<Logo>(
  { logo, title, site }: SiteHead<Logo>,
  { logoHasName }: SiteSlip,
  srcOf: (logo: { name: ImageName; image: Logo }) => string | undefined,
): Html {
  if (!logo)
    return html`${icon('wifi')}<span>${title !== '' && html`<span class="sub">${title}</span>`}${site}</span>`;
  return logoHasName
    ? html`<img class="logo" src="${srcOf(logo)}" alt="${site}">`
    : html`<img class="logo" src="${srcOf(logo)}" alt=""><span>${site}</span>`;
}
