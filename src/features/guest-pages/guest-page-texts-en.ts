// English texts of the page that a guest opens with the link.

import type { GuestPageMessages } from './guest-page-texts-de.ts';

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
