// The words of the first set-up in English.

import type { SetupWords } from './setup-de.ts';

export const setupEn: SetupWords = {
  title: 'Set up Gastpass',
  intro: 'The first administrator sets up everything else afterwards.',
  token: 'Token',
  tokenHint: 'Stands in the output of the service since its last start',
  name: 'Name',
  button: 'Create administrator',
  wrongToken: 'The token is not right. Every start makes a new one.',
  emailFaulty: 'Please enter an e-mail address.',
};
