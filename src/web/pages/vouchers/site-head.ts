// How a site introduces itself to its guests, on slips and in the guest view: its logo or a title, and its name.

import type { Image, ImageName } from '../../../domain/settings/settings.ts';
import type { SlipVoucher } from '../../../domain/sites/slip.ts';
import type { PageContext } from '../../http/context.ts';

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
