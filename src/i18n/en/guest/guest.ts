// English texts that guests read: on slips, and on the page that is shown to them.

import type { GuestMessages } from '../../de/guest/guest.ts';

export const guestEn: GuestMessages = {
  onPaper: {
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
};
