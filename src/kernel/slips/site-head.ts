// How a site introduces itself to its guests: its logo or a title, and its name.

import type { SiteId } from '../ids.ts';
import type { Image, ImageName, Settings } from '../settings/settings.ts';
import type { SlipVoucher } from './slip.ts';

export interface SiteHead<Logo = Image> {
  /** It is shown instead of the title. */
  logo: FoundLogo<Logo> | undefined;
  /** The title of the installation. Empty if it equals the name of the site. */
  title: string;
  site: string;
}

interface FoundLogo<Logo> {
  name: ImageName;
  image: Logo;
}

/** Finds the image, or whatever the caller needs to know of it. */
type FindImage<Logo> = (name: ImageName) => Promise<Logo | undefined>;

export async function makeSiteHead<Logo>(
  { title }: Pick<Settings, 'title'>,
  { siteId, siteName }: Pick<SlipVoucher, 'siteId' | 'siteName'>,
  findImage: FindImage<Logo>,
): Promise<SiteHead<Logo>> {
  const isSame = title.trim().toLowerCase() === siteName.trim().toLowerCase();
  return { title: isSame ? '' : title, site: siteName, logo: await findLogo(siteId, findImage) };
}

/** The logo of the site, otherwise that of the installation. */
export async function findLogo<Logo>(
  siteId: SiteId,
  findImage: FindImage<Logo>,
): Promise<FoundLogo<Logo> | undefined> {
  for (const name of [`site-${siteId}`, 'logo'] as const) {
    const image = await findImage(name);
    if (image) return { name, image };
  }
  return undefined;
}
