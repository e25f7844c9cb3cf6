// The words of the first set-up in English.

import type { SetupWords } from './setup-de.ts';

export const setupEn: SetupWords = {
  title: 'Set up Gastpass',
  intro: 'The first administrator can then set up everything else.',
  token: 'Token',
  tokenHint: 'Printed by the service when it last started',
  name: 'Name',
  button: 'Create administrator',
  wrongToken: 'The token is wrong. Each start makes a new one.',
  emailFaulty: 'Please enter an e-mail address.',
};
