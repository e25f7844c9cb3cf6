// English messages about orders and revocations that failed.

import type { FailuresMessages } from '../../de/staff/failures.ts';

export const failuresEn: FailuresMessages = {
  causes: {
    'name-unknown': 'The name of the console is not known in the network',
    'nobody-answers': 'The console does not answer',
    'not-https': 'The console answers without HTTPS',
    'other-certificate': 'The console shows another certificate than the confirmed one',
    'unvouched-certificate': 'The certificate of the console is not confirmed',
    'not-controller': 'Something else answers at the address of the console',
    'api-missing': 'The console lacks the required API',
    'api-key': 'The console rejects the API key of Gastpass',
    login: 'The console rejects the login of Gastpass',
    'second-factor': 'The console asks Gastpass for a second factor',
    role: 'Gastpass lacks permissions on the console',
    'no-such-site': 'The console does not know this site',
    'other-console': 'The console does not know the existing vouchers',
    'asks-for-pause': 'The console received too many requests and needs a pause',
    refused: 'The console refused the request',
    failed: 'The console reports an internal error',
    'too-slow': 'The console did not answer in time',
    'broke-off': 'The connection to the console broke off',
    away: 'The console cannot be reached',
    busy: 'The console is busy',
    'no-voucher': 'The console returned no usable voucher',
    'list-too-long': 'The list of the console is too long',
    'not-known': 'This release of Gastpass does not know the console',
    unknown: 'A technical error occurred',
  },
  notYou: 'This is not your fault.',
  inputsKept: 'What you entered is kept.',
  uncertain:
    'The console may have created the missing vouchers after all. This becomes clear as soon as it answers again. Please reload later.',
  help: 'Help:',
  tellAdmin: 'Please tell an administrator.',
  retry: 'Try again',
  changeInputs: 'Change the details',
};
