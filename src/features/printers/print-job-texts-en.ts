// English messages about print jobs.

import type { PrintJobsMessages } from './print-job-texts-de.ts';

const number = (count: number) => count.toLocaleString('en');

export const printJobsEn: PrintJobsMessages = {
  title: 'Print jobs',
  print: 'Print',
  copy: 'Print a copy',
  copies: 'Print copies',
  rest: (count) => (count === 1 ? 'Print the missing slip' : `Print ${number(count)} missing slips`),
  on: 'Print on',
  copyOn: 'Print marked “Copy” on',
  other: 'Another printer or paper',
  otherWay: 'Print another way …',
  paper: 'Paper',
  paperDialog: 'Paper (print dialog)',
  printers: 'Receipt printers',
  slips: (count) => (count === 1 ? '1 slip' : `${number(count)} slips`),
  alreadyPrinted: (count, all) =>
    count < all
      ? `${number(count)} of ${number(all)} are already printed or ordered; these slips will be marked “Copy”.`
      : count === 1
        ? 'Already printed or ordered; the slip will be marked “Copy”.'
        : 'Already printed or ordered; the slips will be marked “Copy”.',
  oneSite: 'A receipt printer prints only vouchers of its site. Please choose vouchers of one site.',

  ended: 'Not printed: none of the chosen vouchers is still valid.',

  queued: (printer) => `Waiting for ${printer}`,
  queuedBecause: (printer, why) => `Waiting for ${printer}: ${why}`,
  sending: (printer) => `Printing on ${printer}`,
  printed: (printer, time) => `Printed on ${printer}, ${time}`,
  copyPrinted: (printer, time) => `Copy printed on ${printer}, ${time}`,
  sent: (printer, time) => `Sent to ${printer}, ${time}`,
  copySent: (printer, time) => `Copy sent to ${printer}, ${time}`,
  unclear: (printer, time) => `Unclear whether ${printer} printed it, ${time}`,
  failed: (printer, time) => `Not printed on ${printer}, ${time}`,
  expired: (printer, time) => `Not printed in time on ${printer}, ${time}`,
  cancelled: (printer, time) => `Print job for ${printer} cancelled, ${time}`,

  remedies: {
    'paper-out': 'Please insert paper; printing then continues by itself.',
    'cover-open': 'Please close the cover; printing then continues by itself.',
    fault: 'Please look at the printer.',
    silent: 'Please check that the printer is switched on and connected to the network.',
  },
  lookAtPrinter: 'Perhaps printed – please look at the printer. Print a copy only if there is no slip.',
  neverConfirms: 'This printer does not confirm whether the slip came out.',
  printAgain: 'Please print it again, if necessary on another printer or on paper.',
  printerSaid: 'The printer reports:',
  cancel: 'Cancel',
  cancelRest: 'Cancel waiting jobs',

  states: {
    queued: 'waiting',
    sending: 'printing',
    printed: 'printed',
    unknown: 'unclear',
    failed: 'not printed',
    expired: 'not printed in time',
    cancelled: 'cancelled',
  },
  marks: {
    unknown: 'Unclear whether it was printed',
    failed: 'Not printed',
    expired: 'Not printed in time',
  },
  inStates: (counts) => `Print jobs: ${counts}`,
  lookAt: 'Please check:',
  further: (count) => `and ${number(count)} more`,
};
