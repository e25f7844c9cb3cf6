// English messages for single sign-on: the login, its refusals and the settings.

import type { SingleSignOnMessages } from './single-sign-on-texts-de.ts';

export const singleSignOnEn: SingleSignOnMessages = {
  title: 'Single sign-on',
  card: 'Sign in through your own identity provider (OpenID Connect)',
  open: 'Set up single sign-on',
  loginWith: (label) => `Sign in with ${label}`,
  defaultLabel: 'single sign-on',
  refused: 'Sign-in not possible',
  problems: {
    'no-provider': 'No identity provider is set up. Please sign in with your password.',
    'attempt-over': 'This sign-in has expired or was already used. Please start again.',
    'provider-unreachable':
      'The identity provider cannot be reached right now. Please try again in a moment.',
    'provider-denied':
      'The identity provider refused the sign-in, or it was cancelled there. Please try again or tell an administrator.',
    'token-refused':
      'The response of the identity provider failed the checks. Please sign in again; if that does not help, tell an administrator.',
    'claims-refused':
      'The identity provider sent data that cannot be accepted: it is too long or contains invalid characters. Please tell an administrator.',
    'no-rule':
      'You are signed in at the identity provider, but no rule gives this account access here. Please tell an administrator.',
    'email-unverified':
      'The identity provider has not verified the e-mail address of this account. An administrator can link the account under Settings › Single sign-on.',
    'email-unusable':
      'The e-mail address of this account contains characters that are not allowed, or a user here already has it in another form. An administrator can link the account under Settings › Single sign-on.',
    'account-disabled': 'This account is deactivated. An administrator can activate it again under Users.',
    'last-admin':
      'The rules would take the role from the last administrator. Sign in with your password at /login?local and change the rules.',
  },
  loggedInAs: 'Signed in at the provider as',
  requestNumber: 'Request number:',
  backToLogin: 'Back to sign-in',
  loggedOut: 'Signed out here',
  logoutThere: 'Next, you are signed out at the identity provider.',
  logoutButton: 'Sign out at the provider',
  intro:
    'Users sign in at an identity provider such as Entra ID, Keycloak or Google. Rules decide which role and which sites they get. Without a matching rule, nobody has access.',
  provider: 'Identity provider',
  fromEnvironment: 'The provider is set by environment variables (OIDC_…) and cannot be changed here.',
  addresses: 'Register these addresses at the provider:',
  redirectUri: 'Redirect URI',
  logoutUri: 'After sign-out',
  issuer: 'Issuer',
  issuerHint: 'Address of the provider, for example https://login.example.org/realms/hotel',
  issuerWrong: 'Enter an https address without /.well-known/.',
  clientId: 'Client ID',
  clientIdMissing: 'Enter the client ID.',
  secret: 'Client secret',
  secretHint: 'Leave empty if the provider has not issued one.',
  secretKept: 'Stored. Leave empty to keep it; enter it again after changing issuer or client ID.',
  scopes: 'Scopes',
  scopesHint: 'Separated by spaces, including openid',
  scopesWrong: 'Separate scopes by spaces; openid must be among them.',
  label: 'Name on the sign-in page',
  labelHint: 'For example “Microsoft”; the button then says “Sign in with Microsoft”',
  labelWrong: 'At most 40 characters, no invisible ones.',
  hides: 'Sign-in with a password',
  hidesHint: 'It always stays reachable at /login?local, for emergencies.',
  hidesChoices: { shown: 'Show on the sign-in page', hidden: 'Hide on the sign-in page' },
  trusts: 'E-mail addresses',
  trustsHint:
    'A verified address connects the sign-in with an existing account. Let every address count as verified only if users cannot change their address at the provider (Entra ID with a single tenant).',
  trustsChoices: {
    verified: 'Only verified ones (email_verified)',
    all: 'Every address counts as verified',
  },
  remove: 'Remove provider',
  removeAsk: 'Remove the identity provider?',
  removeWhat:
    'After that, nobody can sign in through the provider, and everybody who did is signed out. Users without a password are locked out. The rules are kept.',
  test: 'Test',
  testHint: 'Leads to the provider and then shows what it says about your own account. Nothing changes.',
  tested: 'The identity provider works',
  rules: 'Rules',
  rulesIntro:
    'All matching rules apply at every sign-in: the highest role, and the sites of all rules. They replace the role and the sites of the account. A removed rule takes effect at the next request; users whom no other rule matches keep only what they had before. Changes at the provider take effect within an hour if it gives refresh tokens (many need the scope offline_access for this), otherwise at the next sign-in, after 12 hours at the latest.',
  noRules: 'No rule yet: nobody has access through the provider.',
  claim: 'Claim',
  claimHint: 'For example roles, groups or realm_access.roles',
  value: 'Value',
  valueHint: 'Exactly this value, also in a list; * for any',
  ruleWrong: 'Enter claim and value, at most 200 characters each.',
  tooManyRules: 'There can be no more than 100 rules.',
  addRule: 'Add rule',
  removeRule: 'Remove',
  removeRuleHidden: (claim, value) => `Remove rule ${claim} = ${value}`,
  preview: 'Preview',
  previewIntro: 'What does an account with these claims get? Nothing changes.',
  claims: 'Claims (JSON)',
  claimsWrong: 'This is not a JSON object.',
  previewButton: 'Show preview',
  matches: 'Matching rules',
  noMatch: 'No rule matches: this account has no access.',
  account: 'Account',
  accountOf: (email) => `${email} (verified)`,
  accountUnverified: 'No verified e-mail address: an administrator has to link the account.',
  waiting: 'Waiting to be linked',
  waitingIntro:
    'A rule matches these accounts, but their e-mail address is not verified. A linked account signs in as the chosen user from then on.',
  user: 'User',
  link: 'Link',
  linked: 'Account at the provider',
  unlink: 'Remove link',
  unlinkAsk: (name) => `Remove the link of ${name} to the provider?`,
  unlinkWhat:
    'The user is signed out everywhere and loses the role and the sites that rules gave. At the next sign-in through the provider, the verified e-mail address decides again which account it is.',
};
