// English texts about the health of single sign-on.

import { type SaidOf, titled } from '../../kernel/health/health-said.ts';
import type { SingleSignOnHealthFacts } from './judge-single-sign-on.ts';

export const saidOfSingleSignOnEn = {
  ...titled('Single sign-on', {
    'provider-ok': ({ issuer }) => ({ text: `${issuer} answers` }),
    'provider-unreachable': ({ issuer, detail }) => ({
      text: `Nobody can sign in through ${issuer}.`,
      todo: 'Check whether the provider runs, whether this server reaches it, and the issuer in the settings. Meanwhile, users with a password can sign in at /login?local.',
      detail,
    }),
    'client-refused': ({ issuer, detail }) => ({
      text: `Nobody can sign in through ${issuer}: it refuses the client ID or the client secret.`,
      todo: 'Compare both with those at the provider. If the secret has expired, create a new one there and enter it here. Meanwhile, users with a password can sign in at /login?local.',
      detail,
    }),
  }),
} satisfies Pick<SaidOf, keyof SingleSignOnHealthFacts>;
