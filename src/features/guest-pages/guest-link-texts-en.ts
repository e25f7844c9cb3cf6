// English messages about guest links, which open the guest page of a voucher.

import type { GuestLinkMessages } from './guest-link-texts-de.ts';

export const guestLinkEn: GuestLinkMessages = {
  make: 'Guest link',
  qr: 'Open the guest page',
  qrHint: 'Scan with the camera. The device needs mobile data for this.',
  copy: 'Copy link',
  share: 'Share link',
  opened: (day, from, to) => `Last opened on ${day} between ${from} and ${to}`,
  notOpened: 'Not opened yet',
  validUntilEnd: 'Valid without signing in until the voucher ends.',
  renew: 'Renew link',
  renewAsk: 'Renew link?',
  renewWhat: 'You get a new link. The previous one no longer opens the page; the voucher itself stays valid.',
  withdraw: 'Withdraw link',
  withdrawAsk: 'Withdraw link?',
  withdrawWhat: 'The link no longer opens the page. The voucher itself stays valid.',
  lacksUrl: 'Guest links need the public address. Without it, the guest’s device could not open the link.',
};
