// How a site introduces itself to its guests in the guest view and on guest pages.

import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import type { PageContext } from '../../pages/context.ts';
import type { ImageName } from '../../settings/settings.ts';
import { makeSiteHead, type SiteHead } from '../../slips/site-head.ts';
import type { SiteSlip, SlipVoucher } from '../../slips/slip.ts';

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
