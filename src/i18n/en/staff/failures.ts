// English messages about orders and revocations that failed.

import type { FailuresMessages } from '../../de/staff/failures.ts';

export const failuresEn: FailuresMessages = {
  causes: {
    'name-unknown': 'The name of the controller is not known on the network',
    'nobody-answers': 'The controller does not answer',
    'not-https': 'The controller answers without HTTPS',
    'other-certificate': 'The controller shows a different certificate from the confirmed one',
    'unvouched-certificate': 'The certificate of the controller is not confirmed',
    'not-controller': 'Something else answers at the address of the controller',
    'api-missing': 'The controller lacks the required API',
    'api-key': 'The controller rejects the API key of Gastpass',
    login: 'The controller rejects the login of Gastpass',
    'second-factor': 'The controller asks Gastpass for a second factor',
    role: 'Gastpass lacks permissions on the controller',
    'no-such-site': 'The controller does not know this site',
    'other-console': 'The controller does not know the existing vouchers',
    'asks-for-pause': 'The controller has had too many requests and needs a pause',
    refused: 'The controller refused the request',
    failed: 'The controller reports an internal error',
    'too-slow': 'The controller did not answer in time',
    'broke-off': 'The connection to the controller broke off',
    away: 'The controller cannot be reached',
    busy: 'The controller is busy',
    'no-voucher': 'The controller returned no usable voucher',
    'list-too-long': 'The controller’s list is too long',
    'not-known': 'This release of Gastpass does not know the controller',
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
