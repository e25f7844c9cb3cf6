// English messages for unused vouchers that are missing on the controller: the alarm, and creating them again.

import { MAX_LOST_COUNTED } from '../lost-vouchers.ts';
import type { LostVoucherMessages } from './lost-voucher-texts-de.ts';

const number = (count: number) => count.toLocaleString('en');
const vouchers = (count: number) => (count === 1 ? '1 voucher' : `${number(count)} vouchers`);

const most = MAX_LOST_COUNTED;
const some = (count: number) =>
  count === 1
    ? '1 unused voucher is missing on the controller'
    : `${count > most ? `More than ${number(most)}` : number(count)} unused vouchers are missing on the controller`;

export const lostVouchersEn: LostVoucherMessages = {
  concern: (site, count) => `${site}: ${some(count)}`,
  noticed: (time) => `Noticed on ${time}.`,
  thisOne: 'This voucher is missing on the controller',
  some,
  means: (count) =>
    count === 1
      ? 'Its code no longer works, and a printed slip is void.'
      : 'Their codes no longer work, and printed slips are void.',
  again: 'Create again',
  replacedBy: 'Created again as',
  ask: (count) => `Create ${vouchers(count)} again?`,
  what: (count) =>
    count === 1
      ? 'The new voucher has the same name, duration and limits, but a new code. Please hand out a new slip afterwards.'
      : 'The new vouchers have the same names, durations and limits, but new codes. Please hand out new slips afterwards.',
  firstOf: (count, all) =>
    `${number(all)} are missing in total. At most ${number(count)} are created again at a time.`,
  nothing: 'No voucher is missing here',
  name: 'Name',
  count: 'Number',
  made: 'Created again',
  madeOf: (made, wanted) => `${number(made)} of ${number(wanted)}`,
  furtherNames: (count) => (count === 1 ? 'and one more name' : `and ${number(count)} more names`),
  button: (count) => `Create ${vouchers(count)} again`,
  unneeded: (count) => (count === 1 ? 'It is not needed' : `None of the ${number(count)} is needed`),
  running: (made, wanted) =>
    wanted === 1 ? 'Creating the voucher again …' : `${number(made)} of ${number(wanted)} created again …`,
  background: 'This continues even if this page is closed.',
  all: (count) => `${vouchers(count)} created again`,
  partly: (made, wanted) => `${number(made)} of ${vouchers(wanted)} created again`,
  stillLost: (count) => `${count === 1 ? '1 voucher is' : `${number(count)} vouchers are`} still missing.`,
  rest: 'Create the rest again',
};
