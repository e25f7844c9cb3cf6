// English messages for the set-up of the mail server.

import type { MailServerMessages } from '../../de/staff/mail-server.ts';

export const mailServerEn: MailServerMessages = {
  title: 'E-mail',
  card: 'The mail server through which guests get their vouchers by e-mail',
  open: 'Set up e-mail',
  intro: 'Guests get their vouchers by e-mail through this mail server. Without one, nothing is sent.',
  server: 'Mail server',
  quick: 'Templates',
  picks: {
    microsoft: {
      label: 'Microsoft 365',
      note: 'Microsoft 365: the mailbox needs “Authenticated SMTP”, which is usually switched off. A relay through a connector is safer.',
    },
    google: {
      label: 'Google',
      note: 'Google: the password must be an app password, not that of the account.',
    },
    hosting: {
      label: 'Mailbox at a provider',
      note: 'The provider tells the name of the outgoing server. The user name is usually the whole e-mail address.',
    },
    relay: {
      label: 'Relay on the own network',
      note: 'A relay needs no password. It must allow this machine to send e-mails.',
    },
  },
  fromEnvironment:
    'The mail server comes from environment variables (SMTP_…, MAIL_…) and cannot be changed here.',
  storedToo: (host) =>
    `${host} is stored in the browser, too. It counts again only without the environment variables.`,
  unknownTls:
    'A newer release of Gastpass has set the encryption. This release cannot use it and sends nothing. Saving replaces it.',
  unreadable: 'The stored password cannot be decrypted, so nothing is sent. Enter it again.',
  plainPassword:
    'The password is sent unencrypted: whoever listens on the network can send e-mails in your name.',
  host: 'Server',
  hostHint: 'Such as mail.example.org',
  hostWrong: 'Enter the name or the IP address of the server, without a port and without smtp://.',
  port: 'Port',
  portWrong: 'Enter a number from 1 to 65535.',
  tls: 'Encryption',
  tlsWrong: 'Choose an encryption.',
  encryption: {
    required: { label: 'STARTTLS', hint: 'encrypted, usually port 587' },
    implicit: { label: 'TLS', hint: 'encrypted from the start, usually port 465' },
    off: { label: 'None', hint: 'only for a relay on the own network, usually port 25' },
  },
  user: 'User name',
  userHint: 'Leave empty if the server asks for no login.',
  userMissing: 'Enter the user name, or empty the password.',
  userWrong: 'The user name contains characters that are not allowed.',
  password: 'Password',
  passwordKept: 'Is stored. Leave empty to keep it.',
  passwordTyped: 'Is entered and will be kept.',
  passwordMissing: 'Enter the password.',
  passwordAgain: 'The connection or the user name is new: enter the password again.',
  passwordWrong: 'The password contains characters that are not allowed.',
  fromName: 'Name of the sender',
  fromNameHint: 'Such as the name of the house',
  fromNameWrong: 'At most 100 characters, without line breaks and angle brackets.',
  from: 'Address of the sender',
  fromWrong: 'Enter an e-mail address in ASCII, such as wifi@example.org.',
  more: 'More',
  perHour: 'E-mails per hour',
  perHourHint: 'Empty: as many as needed. Many providers limit the number.',
  perHourWrong: 'Enter a number from 1 to 100000, or empty the field.',
  ca: 'Own certificate (PEM)',
  caHint:
    'Only needed if the certificate of the server is self-signed or comes from an authority of your own.',
  caWrong: 'This is no certificate in the PEM format.',
  remove: 'Switch e-mail off',
  removeAsk: 'Switch e-mail off?',
  removeWhat: (host) =>
    `The mail server ${host} is removed together with its password. Waiting e-mails stay until another one is set up.`,
  check: 'Check the connection',
  works: 'The mail server can be reached, and the login works.',
  worksWithoutLogin: 'The mail server can be reached.',
  failed: 'The mail server does not work yet.',
  test: 'Test e-mail',
  testTo: 'To',
  testSend: 'Send a test e-mail',
  testWrong: 'Enter an e-mail address in ASCII.',
  tested: (address) => `The mail server has accepted the test e-mail to ${address}.`,
  testFailed: 'The test e-mail was not sent.',
  said: (text) => `Message: ${text}`,
  testSubject: (title) => `Test e-mail from ${title}`,
  testText: 'Gastpass has sent this e-mail as a test. If it arrives, the mail server works.',
  advice: {
    'unknown-host': 'The network does not know this server. Check the spelling, and the DNS of this machine.',
    refused:
      'The server accepts no connection at this port. Usual ports are 587 (STARTTLS), 465 (TLS) and 25 (relay).',
    unreachable: 'The server cannot be reached from here. Check the network and the firewall.',
    'timed-out':
      'The server does not answer. Often a firewall or the provider blocks the port, especially port 25.',
    'wrong-port': 'Port and encryption do not fit: use 465 with TLS, 587 with STARTTLS.',
    'no-starttls':
      'The server does not offer STARTTLS. Try port 465 with TLS; only for a relay on the own network, no encryption.',
    'tls-required': 'The server wants an encrypted connection. Choose STARTTLS or TLS.',
    certificate:
      'The certificate of the server is not trusted. Enter the server by the name its certificate is for; if the certificate is your own, set it under “More” (SMTP_CA_FILE).',
    'login-not-offered':
      'The server offers no login with a password. For a relay, leave user name and password empty; some servers offer it only with encryption.',
    'login-required': 'The server asks for a login. Enter user name and password.',
    'login-refused': 'User name or password is wrong. The user name is usually the whole e-mail address.',
    'app-password':
      'Google accepts only an app password here. It is made in the Google account once 2-Step Verification is on.',
    'smtp-auth-disabled':
      'Microsoft 365 has switched off logins with a password for this mailbox. Better use a relay through a connector, or switch on “Authenticated SMTP” for the mailbox.',
    'sender-refused':
      'The account may not send under this address. Usually the sender must be the mailbox itself.',
    'relay-denied':
      'The server does not pass on e-mails from here. Allow this machine there, or enter user name and password.',
    'recipient-refused': 'The server does not accept the address of the recipient. Check it.',
    'try-later':
      'The server does not accept this e-mail for now, often only the first time. Try again in a few minutes.',
    'rate-limited':
      'The provider limits the number of e-mails. Try again later, and set fewer e-mails per hour.',
    other: 'The guide of the provider may help.',
  },
};
