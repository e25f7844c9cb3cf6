// English messages for the reserve: vouchers that are made ahead for the time when the controller is away.

import type { ReserveMessages } from './reserve-texts-de.ts';

const number = (count: number) => count.toLocaleString('en-GB');

export const reserveEn: ReserveMessages = {
  title: 'Reserve',
  what: 'Gastpass makes these vouchers in advance. If the controller cannot be reached, reception can still hand them out.',
  ready: 'Ready',
  readyOf: (ready, wanted) => `${number(ready)} of ${number(wanted)}`,
  profile: 'Profile',
  standard: 'Default',
  lastMade: 'Last refilled',
  wanted: 'Number of vouchers',
  wantedHint: (most) => `0 to ${most}. With 0 there is no reserve.`,
  profileHint: '“Until check-out” profiles cannot be used: their end is known only when they are handed out.',
  issues: {
    'wanted-out-of-range': 'Enter a whole number from 0 to 500.',
    'profile-not-found': 'This site has no such profile. Choose another one.',
    'profile-for-nights': 'An “Until check-out” profile cannot be used here. Choose another one.',
    'profile-out-of-bounds':
      'The controller does not allow values this high. Choose a profile with lower values.',
  },
  profileGone: 'The profile of the reserve was deleted. Choose another one and save.',
  begin: 'Keep a reserve',
  filling: 'The reserve is being refilled.',
  inactive: 'The site is inactive, so its reserve is not refilled.',
  notFilling: (cause) => `The reserve is not being refilled: ${cause}.`,
  leaving: 'Existing reserve vouchers are being deleted on the controller.',
  handOut: (count) =>
    count === 1 ? 'Hand out a reserve voucher' : `Hand out ${number(count)} reserve vouchers`,
  working: 'Handing out …',
  offer: (count) =>
    count === 1
      ? 'The guest does not have to wait: a voucher from the reserve works at once.'
      : 'The guests do not have to wait: vouchers from the reserve work at once.',
  gets: (allowance, left) => `From the reserve: ${allowance}. ${number(left)} left.`,
  mayBeTwo: 'If the controller has made the ordered voucher after all, both will exist.',
  empty: 'Reserve empty',
  low: (name, ready, wanted) =>
    ready === 0
      ? `${name}: the reserve is empty`
      : `${name}: only ${number(ready)} of ${number(wanted)} vouchers in reserve`,
  lowAdvice: 'Gastpass refills it as soon as the controller makes vouchers again.',
};
