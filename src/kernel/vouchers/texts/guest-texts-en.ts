// English texts about a voucher that guests read, wherever it is shown to them.

import type { GuestMessages } from './guest-texts-de.ts';

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
  demoBadge: 'Demo – no Wi-Fi',
  devices: (count) => (count === 0 ? 'any number of devices' : count === 1 ? '1 device' : `${count} devices`),
  fromFirstUse: (duration) => `${duration} from first use`,
  forNights: (count) => `until check-out after ${count === 1 ? '1 night' : `${count} nights`}`,
  validUntil: (time) => `valid until ${time}`,
};
