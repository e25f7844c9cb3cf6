// English texts of guest pages, and of the links with which guests open them.

import type { GuestLinkMessages, GuestPageMessages } from './guest-page-texts-de.ts';

export const guestPageEn: GuestPageMessages = {
  title: 'Your Wi-Fi access',
  code: 'Your code',
  copyCode: 'Copy code',
  copyPassword: 'Copy password',
  copied: 'Copied',
  steps: 'How to get online',
  redeemed: 'redeemed ✓',
  left: (time, end) => `${time} left, until ${end}`,
  redeemedFor: (devices) => `Valid for ${devices}.`,
  qrs: 'QR codes',
  joinQr: 'Connect to the Wi-Fi',
  joinQrHint: 'Scan with the camera of another device, such as a tablet',
  codeQr: 'Transfer the code',
  codeQrHint: 'Scan on the other device and paste instead of typing',
  keepOpen:
    'Keep this page open until you are on the Wi-Fi: without mobile data, you could not open it again.',
  language: 'Language',
  wrong: 'This link is not valid.',
  wrongWhat:
    'Perhaps the Wi-Fi access has already expired, or the address is incomplete. Reception will be happy to help.',
  throttled: 'Too many requests right now.',
  throttledWhat:
    'Very many links have just been opened from your network. Please try again in a minute, or ask at reception.',
  away: 'The page is not available at the moment.',
  awayWhat: 'Please try again shortly, or ask at reception.',
  method: 'This request is not possible here.',
  shared: (site, url) =>
    `Your Wi-Fi access (${site}): ${url}\nTo open it, you need mobile data or another internet connection.`,
};

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
