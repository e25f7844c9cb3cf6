// Prepares slips for printing: combines each voucher with the slip settings of its site, in the chosen language.

import type { SiteId } from '../../../domain/ids.ts';
import type { ImageName, ImageStore } from '../../../domain/settings/settings.ts';
import type { SiteSlip, SlipStore, SlipVoucher } from '../../../domain/sites/slip.ts';
import { formatCode } from '../../../domain/vouchers/voucher.ts';
import { joinText } from '../../../print/join-text.ts';
import type { PrintedSlip, PrintOrder, WifiFact } from '../../../print/printed-slip.ts';
import type { PageContext } from '../../http/context.ts';
import { sayAllowance, shownName } from './voucher-details.ts';

export interface SlipDeps {
  slips: Pick<SlipStore, 'find'>;
  images: Pick<ImageStore, 'find'>;
}

export type Prepared = Pick<PrintOrder, 'slips' | 'logos'>;

export async function prepareSlips(
  context: PageContext,
  vouchers: SlipVoucher[],
  { slips, images }: SlipDeps,
): Promise<Prepared> {
  const logos: Prepared['logos'] = new Map();
  const sites = new Map<SiteId, { own: SiteSlip; logo: ImageName | undefined }>();
  for (const { siteId } of vouchers)
    if (!sites.has(siteId))
      sites.set(siteId, { own: await slips.find(siteId), logo: await findLogo(siteId) });
  return {
    logos,
    slips: vouchers.flatMap((voucher) => {
      const site = sites.get(voucher.siteId);
      return site ? [toPrinted(context, voucher, site)] : [];
    }),
  };

  /** The site's logo, otherwise the installation's. */
  async function findLogo(siteId: SiteId): Promise<ImageName | undefined> {
    for (const name of [`site-${siteId}`, 'logo'] as const) {
      const image = logos.has(name) ? undefined : await images.find(name);
      if (image) logos.set(name, `data:${image.type};base64,${image.bytes.toString('base64')}`);
      if (logos.has(name)) return name;
    }
    return undefined;
  }
}

function toPrinted(
  context: PageContext,
  voucher: SlipVoucher,
  { own, logo }: { own: SiteSlip; logo: ImageName | undefined },
): PrintedSlip {
  const { messages, settings } = context;
  const { onPaper } = messages.slip;
  const join = joinText(own);
  return {
    title: settings.title,
    logo,
    site: voucher.siteName,
    name: `${messages.print.wifi} · ${shownName(voucher)}`,
    code: formatCode(voucher.code),
    allowance: sayAllowance(voucher, context),
    wifi: own.wifiName === '' ? [] : wifiFacts(own, onPaper),
    qr: join ? { text: join, caption: onPaper.join } : { text: voucher.code, caption: onPaper.code },
    text: own.text,
  };
}

function wifiFacts(
  { wifiName, wifiPassword }: SiteSlip,
  onPaper: { wifi: string; password: string },
): WifiFact[] {
  const name = { label: onPaper.wifi, value: wifiName, isPassword: false };
  if (wifiPassword === null) return [name];
  return [name, { label: onPaper.password, value: wifiPassword, isPassword: true }];
}
