// English messages for the set-up of the mail server.

import type { MailServerMessages } from './mail-server-texts-de.ts';

export const mailServerEn: MailServerMessages = {
  title: 'E-mail',
  card: 'The mail server for e-mails to guests and users',
  open: 'Set up e-mail',
  intro:
    'This mail server sends vouchers to guests and password links to users. Without one, nothing is sent.',
  server: 'Mail server',
  quick: 'Templates',
  picks: {
    microsoft: {
      label: 'Microsoft 365',
      note: 'Microsoft 365: the mailbox needs “Authenticated SMTP”, which is usually switched off. A relay through a connector is safer.',
    },
    google: {
      label: 'Google',
      note: 'Google: enter an app password, not the password of the account.',
    },
    hosting: {
      label: 'Mailbox at a provider',
      note: 'The provider names the outgoing mail server. The user name is usually the whole e-mail address.',
    },
    relay: {
      label: 'Relay on your own network',
      note: 'A relay needs no password. It must allow this machine to send e-mails.',
    },
  },
  fromEnvironment:
    'The mail server comes from environment variables (SMTP_…, MAIL_…) and cannot be changed here.',
  storedToo: (host) =>
    `${host} was also set up in the browser. It is used only once the environment variables are removed.`,
  unknownTls:
    'The encryption was chosen with a newer release of Gastpass. This release cannot use it and sends nothing. Saving replaces it.',
  unreadable: 'The stored password cannot be decrypted, so nothing is sent. Enter it again.',
  plainPassword:
    'The password is sent unencrypted: whoever listens on the network can send e-mails in your name.',
  host: 'Server',
  hostHint: 'For example mail.example.org',
  hostWrong: 'Enter the name or the IP address of the server, without a port and without smtp://.',
  port: 'Port',
  portWrong: 'Enter a number from 1 to 65535.',
  tls: 'Encryption',
  tlsWrong: 'Choose the encryption.',
  encryption: {
    required: { label: 'STARTTLS', hint: 'encrypted, usually port 587' },
    implicit: { label: 'TLS', hint: 'encrypted from the start, usually port 465' },
    off: { label: 'None', hint: 'only for a relay on your own network, usually port 25' },
  },
  user: 'User name',
  userHint: 'Leave empty if the server requires no login.',
  userMissing: 'Enter the user name, or clear the password.',
  userWrong: 'The user name contains characters that are not allowed.',
  password: 'Password',
  passwordKept: 'Stored. Leave empty to keep it.',
  passwordTyped: 'Entered. Will be kept.',
  passwordMissing: 'Enter the password.',
  passwordAgain: 'The connection or the user name is new: enter the password again.',
  passwordWrong: 'The password contains characters that are not allowed.',
  fromName: 'Name of the sender',
  fromNameHint: 'For example the name of your hotel',
  fromNameWrong: 'At most 100 characters, without line breaks or angle brackets.',
  from: 'Address of the sender',
  fromWrong: 'Enter an e-mail address without accented letters, such as wifi@example.org.',
  more: 'More',
  perHour: 'E-mails per hour',
  perHourHint: 'Empty: as many as needed. Many providers limit the number.',
  perHourWrong: 'Enter a number from 1 to 100000, or clear the field.',
  ca: 'Own certificate (PEM)',
  caHint:
    'Only needed if the certificate of the server is self-signed or comes from your own certificate authority.',
  caWrong: 'This is not a certificate in PEM format.',
  remove: 'Switch e-mail off',
  removeAsk: 'Switch e-mail off?',
  removeWhat: (host) =>
    `The mail server ${host} is removed together with its password. Waiting e-mails are sent only when a mail server is set up again.`,
  check: 'Check the connection',
  works: 'The mail server can be reached, and the login works.',
  worksWithoutLogin: 'The mail server can be reached.',
  failed: 'The mail server does not work yet.',
  test: 'Test e-mail',
  testTo: 'To',
  testSend: 'Send a test e-mail',
  testWrong: 'Enter an e-mail address without accented letters.',
  tested: (address) => `The mail server has accepted the test e-mail to ${address}.`,
  testFailed: 'The test e-mail was not sent.',
  said: (text) => `Message: ${text}`,
  testSubject: (title) => `Test e-mail from ${title}`,
  testText: 'Gastpass has sent this e-mail as a test. If it arrives, the mail server works.',
  advice: {
    'unknown-host':
      'The name of the server cannot be resolved. Check the spelling and the DNS of this machine.',
    refused:
      'The server accepts no connection on this port. The usual ports are 587 (STARTTLS), 465 (TLS) and 25 (relay).',
    unreachable: 'The server cannot be reached from here. Check the network and the firewall.',
    forbidden: 'Gastpass is not allowed to connect to this address; see the setting WEBHOOK_TARGETS.',
    'timed-out':
      'The server does not answer. Often a firewall or the provider blocks the port, especially port 25.',
    'wrong-port': 'Port and encryption do not match: use 465 with TLS or 587 with STARTTLS.',
    'no-starttls':
      'The server does not offer STARTTLS. Try port 465 with TLS. Choose “None” only for a relay on your own network.',
    'tls-required': 'The server requires an encrypted connection. Choose STARTTLS or TLS.',
    certificate:
      'The certificate of the server is not trusted. Enter the server by the name its certificate is for; add a certificate of your own under “More” or by SMTP_CA_FILE.',
    'login-not-offered':
      'The server offers no login with a password. For a relay, leave user name and password empty; some servers offer a login only with encryption.',
    'login-required': 'The server requires a login. Enter user name and password.',
    'login-refused': 'User name or password is wrong. The user name is usually the whole e-mail address.',
    'app-password':
      'Google accepts only an app password here. Create one in the Google account; 2-Step Verification must be on.',
    'smtp-auth-disabled':
      'Microsoft 365 has switched off logins with a password for this mailbox. Better use a relay through a connector, or switch on “Authenticated SMTP” for the mailbox.',
    'sender-refused':
      'The account may not send from this address. Usually the sender must be the mailbox itself.',
    'relay-denied':
      'The server does not relay e-mails from here. Allow this machine on the server, or enter user name and password.',
    'recipient-refused': 'The server does not accept this recipient. Check the address.',
    'try-later':
      'The server does not accept this e-mail for now. Some servers always do this at the first attempt (greylisting). Try again in a few minutes.',
    'rate-limited':
      'The provider limits the number of e-mails. Try again later, and set fewer e-mails per hour under “More”.',
    other: 'The instructions of the provider may help.',
  },
  toSetup: 'Set up e-mail',
};
