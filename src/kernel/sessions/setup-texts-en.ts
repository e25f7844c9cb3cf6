// English messages for the initial setup.

import type { SetupMessages } from './setup-texts-de.ts';

export const setupEn: SetupMessages = {
  title: 'Set up Gastpass',
  intro: 'The first administrator can then set up everything else.',
  token: 'Token',
  tokenHint: 'Printed by the service when it last started',
  name: 'Name',
  button: 'Create administrator',
  wrongToken: 'The token is wrong. The service prints a new one at every start.',
  emailInvalid: 'Please enter an e-mail address.',
};
