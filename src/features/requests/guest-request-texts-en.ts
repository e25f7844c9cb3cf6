// English texts for guests who ask the staff for a voucher.

import type { RequestMessages } from './guest-request-texts-de.ts';

export const requestEn: RequestMessages = {
  title: 'Request Wi-Fi access',
  intro: 'Send us a request. As soon as it is approved, your code will appear on this page.',
  privacy:
    'Only our team sees what you enter. The request is deleted after two days at the latest. If you get a code, your name and your host or room are kept with it.',
  fields: {
    name: { label: 'Your name' },
    host: { label: 'Host or room (optional)' },
    note: { label: 'Message (optional)' },
  },
  issues: {
    missing: () => 'Please fill in this field.',
    'too-long': (maxLength) => `Please use at most ${maxLength} characters.`,
    'not-plain': () => 'Please remove invisible characters.',
  },
  send: 'Send request',
  sending: 'Sending …',
  yours: 'Your request',
  waiting: 'We have received your request',
  waitingWhat: 'Our team is looking at it. Keep this page open: your code will appear here.',
  asked: 'Requested',
  declined: 'Your request was declined',
  declinedWhat: 'Reception will be happy to help.',
  reason: 'Reply',
  expired: 'Your request has expired',
  expiredWhat: 'Unfortunately, nobody answered in time. You can ask again, or go to reception.',
  over: 'This code is no longer valid',
  overWhat: 'If you still need Wi-Fi, please ask again.',
  again: 'Ask again',
  throttled: 'There are a lot of requests right now. Please try again in a minute.',
  full: 'A lot of requests are waiting right now. Please go to reception.',
  foreign: 'This request did not come from our page.',
  foreignWhat: 'Please open the page again and send the request from there.',
  tooLarge: 'That is too much text.',
  tooLargeWhat: 'Please go back and shorten it.',
};
