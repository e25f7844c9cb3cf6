// German messages for single sign-on: the login, its refusals and the settings.

import type { ProviderLoginProblem } from './provider-login.ts';

const problems: Record<ProviderLoginProblem['kind'], string> = {
  'no-provider': 'Es ist kein Anmeldedienst eingerichtet. Bitte mit dem Passwort anmelden.',
  'attempt-over':
    'Diese Anmeldung ist abgelaufen oder wurde schon benutzt. Bitte noch einmal von vorn beginnen.',
  'provider-unreachable':
    'Der Anmeldedienst ist gerade nicht erreichbar. Bitte gleich noch einmal versuchen.',
  'provider-denied':
    'Der Anmeldedienst hat die Anmeldung abgelehnt, oder sie wurde dort abgebrochen. Bitte noch einmal versuchen oder die Verwaltung informieren.',
  'token-refused':
    'Die Antwort des Anmeldedienstes hat die Prüfung nicht bestanden. Bitte noch einmal anmelden; hilft das nicht, bitte die Verwaltung informieren.',
  'claims-refused':
    'Der Anmeldedienst hat Angaben geschickt, die nicht angenommen werden: Sie sind zu lang oder enthalten unzulässige Zeichen. Bitte die Verwaltung informieren.',
  'no-rule':
    'Die Anmeldung beim Anmeldedienst hat geklappt, aber keine Regel gibt diesem Konto hier Zugang. Bitte die Verwaltung informieren.',
  'email-unverified':
    'Der Anmeldedienst hat die E-Mail-Adresse dieses Kontos nicht bestätigt. Die Verwaltung kann das Konto unter Einstellungen › Single Sign-on zuordnen.',
  'email-unusable':
    'Die E-Mail-Adresse dieses Kontos enthält unzulässige Zeichen oder gehört in anderer Schreibweise schon zu einem Konto. Die Verwaltung kann das Konto unter Einstellungen › Single Sign-on zuordnen.',
  'account-disabled':
    'Dieses Konto ist deaktiviert. Die Verwaltung kann es unter „Benutzer“ wieder aktivieren.',
  'last-admin':
    'Die Regeln würden dem letzten Konto der Verwaltung die Rolle nehmen. Bitte unter /login?local mit dem Passwort anmelden und die Regeln ändern.',
};

export const singleSignOnDe = {
  title: 'Single Sign-on',
  card: 'Anmeldung über einen eigenen Anmeldedienst (OpenID Connect)',
  open: 'Single Sign-on einrichten',
  loginWith: (label: string) => `Mit ${label} anmelden`,
  defaultLabel: 'Single Sign-on',
  refused: 'Anmeldung nicht möglich',
  problems,
  loggedInAs: 'Beim Anmeldedienst angemeldet als',
  requestNumber: 'Nummer der Anfrage:',
  backToLogin: 'Zur Anmeldung',
  loggedOut: 'Hier abgemeldet',
  logoutThere: 'Es folgt die Abmeldung beim Anmeldedienst.',
  logoutButton: 'Beim Anmeldedienst abmelden',
  intro:
    'Benutzer melden sich bei einem Anmeldedienst an, etwa Entra ID, Keycloak oder Google. Welche Rolle und welche Standorte sie bekommen, legen die Regeln fest. Ohne passende Regel hat niemand Zugang.',
  provider: 'Anmeldedienst',
  fromEnvironment:
    'Der Anmeldedienst steht in den Umgebungsvariablen (OIDC_…) und lässt sich hier nicht ändern.',
  addresses: 'Beim Anmeldedienst diese Adressen eintragen:',
  redirectUri: 'Redirect-URI',
  logoutUri: 'Nach der Abmeldung',
  issuer: 'Issuer',
  issuerHint: 'Adresse des Anmeldedienstes, zum Beispiel https://login.example.org/realms/hotel',
  issuerWrong: 'Bitte eine https-Adresse ohne /.well-known/ eintragen.',
  clientId: 'Client-ID',
  clientIdMissing: 'Bitte die Client-ID eintragen.',
  secret: 'Client-Secret',
  secretHint: 'Leer lassen, wenn der Anmeldedienst keines vergeben hat.',
  secretKept:
    'Ist gespeichert. Leer lassen, um es zu behalten; nach einer Änderung von Issuer oder Client-ID neu eintragen.',
  scopes: 'Scopes',
  scopesHint: 'Durch Leerzeichen getrennt, openid gehört dazu',
  scopesWrong: 'Bitte Scopes mit Leerzeichen trennen; openid muss dabei sein.',
  label: 'Name auf der Anmeldeseite',
  labelHint: 'Zum Beispiel „Microsoft“; der Knopf heißt dann „Mit Microsoft anmelden“',
  labelWrong: 'Höchstens 40 Zeichen, keine unsichtbaren.',
  hides: 'Anmeldung mit Passwort',
  hidesHint: 'Unter /login?local bleibt sie immer erreichbar, für den Notfall.',
  hidesChoices: { shown: 'Auf der Anmeldeseite anzeigen', hidden: 'Auf der Anmeldeseite ausblenden' },
  trusts: 'E-Mail-Adressen',
  trustsHint:
    'Eine bestätigte Adresse verbindet die Anmeldung mit einem vorhandenen Konto. Nur wenn Benutzer ihre Adresse beim Anmeldedienst nicht selbst ändern können, darf jede Adresse als bestätigt gelten (Entra ID mit einem Mandanten).',
  trustsChoices: {
    verified: 'Nur bestätigte (email_verified)',
    all: 'Jede Adresse gilt als bestätigt',
  },
  remove: 'Anmeldedienst entfernen',
  removeAsk: 'Anmeldedienst entfernen?',
  removeWhat:
    'Dann kann sich niemand mehr über den Anmeldedienst anmelden, und wer darüber angemeldet ist, wird abgemeldet. Benutzer ohne Passwort haben dann keinen Zugang mehr. Die Regeln bleiben erhalten.',
  test: 'Testen',
  testHint:
    'Führt zum Anmeldedienst und zeigt danach, welche Angaben er zum eigenen Konto liefert. Es ändert sich nichts.',
  tested: 'Der Anmeldedienst funktioniert',
  rules: 'Regeln',
  rulesIntro:
    'Bei jeder Anmeldung gelten alle passenden Regeln: die höchste Rolle und die Standorte aller Regeln. Rolle und Standorte des Kontos werden dabei ersetzt. Eine entfernte Regel wirkt ab dem nächsten Seitenaufruf; passt keine andere, bleibt nur, was das Konto vorher hatte. Änderungen im Anmeldedienst wirken innerhalb einer Stunde, wenn er Refresh-Tokens ausgibt (oft nur mit dem Scope offline_access), sonst erst bei der nächsten Anmeldung, spätestens nach 12 Stunden.',
  noRules: 'Noch keine Regel: Über den Anmeldedienst hat niemand Zugang.',
  claim: 'Claim',
  claimHint: 'Zum Beispiel roles, groups oder realm_access.roles',
  value: 'Wert',
  valueHint: 'Genau dieser Wert, auch in einer Liste; * für jeden',
  ruleWrong: 'Bitte Claim und Wert eintragen, je höchstens 200 Zeichen.',
  tooManyRules: 'Mehr als 100 Regeln sind nicht möglich.',
  addRule: 'Regel hinzufügen',
  removeRule: 'Entfernen',
  removeRuleHidden: (claim: string, value: string) => `Regel ${claim} = ${value} entfernen`,
  preview: 'Vorschau',
  previewIntro: 'Was bekommt ein Konto mit diesen Claims? Es ändert sich nichts.',
  claims: 'Claims (JSON)',
  claimsWrong: 'Das ist kein JSON-Objekt.',
  previewButton: 'Vorschau zeigen',
  matches: 'Passende Regeln',
  noMatch: 'Keine Regel passt: Dieses Konto hat keinen Zugang.',
  account: 'Konto',
  accountOf: (email: string) => `${email} (bestätigt)`,
  accountUnverified: 'Keine bestätigte E-Mail-Adresse: Die Verwaltung muss das Konto zuordnen.',
  waiting: 'Warten auf Zuordnung',
  waitingIntro:
    'Für diese Konten passt eine Regel, aber ihre E-Mail-Adresse ist nicht bestätigt. Ein zugeordnetes Konto meldet sich künftig als der gewählte Benutzer an.',
  user: 'Benutzer',
  link: 'Zuordnen',
  linked: 'Konto beim Anmeldedienst',
  unlink: 'Zuordnung lösen',
  unlinkAsk: (name: string) => `Zuordnung von ${name} zum Anmeldedienst lösen?`,
  unlinkWhat:
    'Der Benutzer wird überall abgemeldet und verliert Rolle und Standorte, die ihm Regeln gegeben haben. Bei der nächsten Anmeldung über den Anmeldedienst entscheidet wieder die bestätigte E-Mail-Adresse.',
};

export type SingleSignOnMessages = typeof singleSignOnDe;
