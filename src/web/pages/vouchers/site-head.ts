// How a site introduces itself to its guests, on slips and in the guest view: its logo or a title, and its name.

import type { Image, ImageName, ImageStore } from '../../../domain/settings/settings.ts';
import type { SlipVoucher } from '../../../domain/sites/slip.ts';
import type { PageContext } from '../../http/context.ts';

export interface SiteHead {
  /** The site's logo, otherwise the installation's. It is shown instead of the title. */
  logo: { name: ImageName; image: Image } | undefined;
  /** The title of the installation. Empty if it equals the name of the site. */
  title: string;
  site: string;
}

export async function findSiteHead(
  { app, settings: { title } }: PageContext,
  { siteId, siteName }: Pick<SlipVoucher, 'siteId' | 'siteName'>,
  findImage: ImageStore['find'] = app.images.find,
): Promise<SiteHead> {
  const isSame = title.trim().toLowerCase() === siteName.trim().toLowerCase();
  const head = { title: isSame ? '' : title, site: siteName };
  for (const name of [`site-${siteId}`, 'logo'] as const) {
    const image = await findImage(name);
    if (image) return { ...head, logo: { name, image } };
  }
  return { ...head, logo: undefined };
}
