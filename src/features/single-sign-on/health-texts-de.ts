// German texts about the health of single sign-on.

import { type SaidOf, titled } from '../../kernel/health/health-said.ts';
import type { SingleSignOnHealthFacts } from './judge-single-sign-on.ts';

export const saidOfSingleSignOnDe = {
  ...titled('Single Sign-on', {
    'provider-ok': ({ issuer }) => ({ text: `${issuer} antwortet` }),
    'provider-unreachable': ({ issuer, detail }) => ({
      text: `Über ${issuer} kann sich niemand anmelden.`,
      todo: 'Prüfen, ob der Anmeldedienst läuft, ob dieser Server ihn erreicht und ob der Issuer stimmt. Benutzer mit Passwort können sich inzwischen unter /login?local anmelden.',
      detail,
    }),
    'client-refused': ({ issuer, detail }) => ({
      text: `Über ${issuer} kann sich niemand anmelden: Der Anmeldedienst lehnt die Client-ID oder das Client-Secret ab.`,
      todo: 'Beide mit den Angaben beim Anmeldedienst vergleichen. Ist das Secret abgelaufen, dort ein neues erstellen und hier eintragen. Benutzer mit Passwort können sich inzwischen unter /login?local anmelden.',
      detail,
    }),
  }),
} satisfies Pick<SaidOf, keyof SingleSignOnHealthFacts>;
