// English texts for guests who ask the staff for a voucher.

import type { RequestMessages } from '../../de/guest/request.ts';

export const requestEn: RequestMessages = {
  title: 'Ask for Wi-Fi access',
  intro: 'Send us a request. As soon as it is approved, your code appears on this page.',
  privacy:
    'Only our team sees what you enter. The request is deleted after two days at the latest. If you get a code, your name and your host or room are kept with it.',
  fields: {
    name: { label: 'Your name' },
    host: { label: 'Host or room (optional)' },
    note: { label: 'Message (optional)' },
  },
  issues: {
    missing: () => 'Please fill in this field.',
    'too-long': (maxLength) => `At most ${maxLength} characters, please.`,
    'not-plain': () => 'Please enter no invisible characters.',
  },
  send: 'Send request',
  sending: 'Sending …',
  yours: 'Your request',
  waiting: 'We have received your request',
  waitingWhat: 'Our team is looking at it. Keep this page open: your code appears here by itself.',
  asked: 'Asked',
  declined: 'Your request was declined',
  declinedWhat: 'Reception will be happy to answer your questions.',
  reason: 'Answer',
  expired: 'Your request has expired',
  expiredWhat: 'Unfortunately, nobody answered in time. You can ask again, or go to reception.',
  over: 'This code is no longer valid',
  overWhat: 'If you still need Wi-Fi, please ask again.',
  again: 'Ask again',
  throttled: 'There are very many requests right now. Please try again in a minute.',
  full: 'Very many requests are waiting right now. Please go to reception.',
  foreign: 'This request did not come from our page.',
  foreignWhat: 'Please open the page again and send the request from there.',
  tooLarge: 'That is too much text.',
  tooLargeWhat: 'Please go back and write less.',
};
