// How a site introduces itself to its guests, on slips, in the guest view and on guest pages: its logo or a title, and its
// name.

import type { Image, ImageName } from '../../../domain/settings/settings.ts';
import type { SiteSlip, SlipVoucher } from '../../../domain/sites/slip.ts';
import type { PageContext } from '../../http/context.ts';
import { type Html, html } from '../../ui/html.ts';
import { icon } from '../../ui/icons.ts';

export interface SiteHead<Logo = Image> {
  /** The site's logo, otherwise the installation's. It is shown instead of the title. */
  logo: { name: ImageName; image: Logo } | undefined;
  /** The title of the installation. Empty if it equals the name of the site. */
  title: string;
  site: string;
}

type HeadOf = Pick<SlipVoucher, 'siteId' | 'siteName'>;

export function findSiteHead(context: PageContext, voucher: HeadOf): Promise<SiteHead> {
  return makeSiteHead(context, voucher, context.app.images.find);
}

/** `findImage` finds the image, or whatever the caller needs to know of it. */
export async function makeSiteHead<Logo>(
  { settings: { title } }: PageContext,
  { siteId, siteName }: HeadOf,
  findImage: (name: ImageName) => Promise<Logo | undefined>,
): Promise<SiteHead<Logo>> {
  const isSame = title.trim().toLowerCase() === siteName.trim().toLowerCase();
  const head = { title: isSame ? '' : title, site: siteName };
  for (const name of [`site-${siteId}`, 'logo'] as const) {
    const image = await findImage(name);
    if (image) return { ...head, logo: { name, image } };
  }
  return { ...head, logo: undefined };
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
