// English texts that guests read: on slips, on the pages that are shown to them, and in mails.

import { requestEn } from '../requests/guest-request-texts-en.ts';
import { screenEn } from '../screens/kiosk-texts-en.ts';
import { rollingEn } from '../screens/rolling-texts-en.ts';
import type { GuestMessages } from './guest-page-texts-de.ts';

export const guestEn: GuestMessages = {
  onPaper: {
    copy: 'Copy',
    access: 'Wi-Fi access',
    wifi: 'Wi-Fi',
    password: 'Password',
    join: 'Scan to join the Wi-Fi',
    code: 'Code to scan',
    steps: 'Connect to the Wi-Fi “{wifi}”\nOpen any web page\nEnter the code',
    stepsUnnamed: 'Connect to the guest Wi-Fi\nOpen any web page\nEnter the code',
  },
  guest: {
    step: (step, of) => `Step ${step} of ${of}`,
    join: 'Connect to the Wi-Fi',
    joinHint: 'Scan the QR code with your camera',
    enter: 'Enter the code',
    enterHint: 'Once you are connected, a page asks for this code',
    next: 'Next: the code',
    previous: 'Back to the Wi-Fi',
    done: 'Done',
  },
  guestPage: {
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
  },
  mail: {
    subject: 'Your Wi-Fi access: {site}',
    greeting: 'Hello,\n\nThis is your code for our guest Wi-Fi.',
    closing: 'If anything does not work, we are happy to help.\n\nKind regards\n{site}',
    until: (time) => `until ${time}`,
    lasts: (duration) => `for ${duration} from first use`,
    validUntil: (time) => `Valid until ${time}`,
    devices: (devices) => `For ${devices}`,
    openPage: 'Open in your browser',
    qr: (purpose) => `QR code: ${purpose}`,
    sentBy: (site) => `This e-mail was sent automatically on behalf of ${site}.`,
  },
  request: requestEn,
  rolling: rollingEn,
  screen: screenEn,
  demoBadge: 'Demo – no Wi-Fi',
  devices: (count) => (count === 0 ? 'any number of devices' : count === 1 ? '1 device' : `${count} devices`),
  fromFirstUse: (duration) => `${duration} from first use`,
  forNights: (count) => `until check-out after ${count === 1 ? '1 night' : `${count} nights`}`,
  validUntil: (time) => `valid until ${time}`,
};
