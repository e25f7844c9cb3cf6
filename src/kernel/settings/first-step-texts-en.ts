// English messages for the first steps of a new installation, and for the demo.

import type { FirstStepMessages } from './first-step-texts-de.ts';

export const firstStepsEn: FirstStepMessages = {
  title: 'First steps',
  done: (done, all) => `${done} of ${all} done`,
  isDone: 'done',
  hide: 'Hide',
  steps: {
    controller: {
      name: 'Connect a controller',
      why: 'The UniFi console or server that issues the vouchers.',
      action: 'Connect',
    },
    slip: {
      name: 'Wi-Fi name and slip',
      why: 'So that guests know which Wi-Fi to join.',
      action: 'Design',
    },
    voucher: {
      name: 'First voucher',
      why: 'Create one for the connected Wi-Fi and try it.',
      action: 'Create',
    },
    colleague: {
      name: 'Invite someone',
      why: 'The front desk gets an account of its own.',
      action: 'Invite',
    },
    demo: {
      name: 'Deactivate the demo',
      why: 'Demo vouchers do not open any Wi-Fi.',
      action: 'Deactivate',
    },
  },
  demo: 'Demo',
  addSite: 'Set up a site',
};
