// English messages for the settings page, retention and logos.

import type { LogoMessages, SettingsMessages } from './settings-texts-de.ts';

export const settingsEn: SettingsMessages = {
  title: 'Settings',
  look: 'Appearance',
  name: 'Title',
  nameHint: 'Shown at the top of the navigation, on the sign-in page and in the title of every page.',
  nameIssues: {
    missing: 'Please enter a title.',
    'too-long': 'At most 40 characters.',
    'not-plain': 'The title contains invisible characters.',
  },
  language: 'Language',
  languageHint:
    'For everyone who has not chosen their own, and for slips. If the language of the browser is chosen here, slips are in German.',
  languages: { browser: 'Language of the browser', de: 'Deutsch', en: 'English' },
  apiPage: 'API documentation page',
  apiPageHint: 'Describes the API for other programs. It never shows keys.',
  apiPages: { open: 'Visible to everyone', closed: 'Only after signing in' },
  helper: 'Who helps',
  helperIntro:
    'If a voucher cannot be created or revoked, the message names this contact. Both details are optional.',
  helperName: 'Name',
  helperPhone: 'Phone',
  helperIssues: { 'too-long': 'At most 60 characters.', 'not-plain': 'Contains invisible characters.' },
  saveHelper: 'Save contact',
  publicUrl: {
    title: 'Public address',
    intro:
      'The address at which everyone opens Gastpass in the browser. Links that you pass on begin with it, and pages opened under another name redirect to it.',
    label: 'Address',
    hint: 'For example https://wifi.example.org. Leave it empty if there is none.',
    openHere: 'You have this page open at this address right now.',
    issues: {
      wrong: 'Enter an address such as https://wifi.example.org.',
      'only-here':
        'This address works only on the server itself. Enter the address at which others reach it.',
    },
    save: 'Save address',
    fromEnvironment: (url) =>
      `The address ${url} is set in the environment of the service. It takes precedence and cannot be changed here.`,
    openThere: 'Open it there and confirm',
    openWhat: (url) =>
      `Nothing has been saved yet. An address takes effect only once Gastpass has been opened under it in a browser. Open ${url}, sign in and save the address there.`,
    open: (url) => `Open ${url}`,
    notThere:
      'If the page does not open, the address is not set up yet: the name has to lead to the server or to its proxy.',
    plainTitle: 'The request arrives unencrypted',
    plain: (seen) =>
      `This page was opened without HTTPS. Save ${seen} instead. If a proxy with HTTPS is in front of the service, TRUSTED_PROXIES has to name it and it has to send X-Forwarded-Proto.`,
    plainProxy: (ip) =>
      `The request reaches the service unencrypted, from ${ip}. The service should trust it only if it is your proxy:`,
    back: 'Back to the settings',
  },
  retention: 'Retention',
  retentionIntro:
    'Anything older is deleted every hour. For vouchers, the time counts from their end; valid vouchers are never deleted.',
  vouchers: 'Expired vouchers',
  audit: 'Audit log',
  keep: { ever: 'Forever', 30: '30 days', 90: '90 days', 180: '180 days', 365: '1 year', 730: '2 years' },
  own: 'Custom',
  days: 'days',
  daysIssue: (fewest, most) => `Enter a whole number from ${fewest} to ${most}.`,
  limit: 'Daily limit',
  limitHint: 'Keeps a wrong clock or setting from deleting everything at once.',
  limits: {
    daily: 'Delete at most 5 % or 1,000 entries a day, whichever is more',
    none: 'Delete without a limit',
  },
  paced: 'At most 5 % or 1,000 entries are deleted each day, whichever is more.',
  atOnce: 'Everything is deleted within the next hour.',
  preview: 'Show what would be deleted',
  ask: 'Change retention?',
  kept: (vouchers, audit) => `Expired vouchers: ${vouchers}. Audit log: ${audit}.`,
  keptEver: 'forever',
  keptDays: (days) => `${days} days`,
  nothing: 'Right now, nothing would be deleted.',
  goes: 'Would be deleted now',
  count: 'How many',
  oldest: 'Oldest',
  newest: 'Newest',
  forGood: 'This cannot be undone.',
  saveRetention: 'Save retention',
  privacy: 'Data protection',
  savePrivacy: 'Save data protection',
  names: 'Names in the web interface',
  namesHint: 'Without names, every new voucher is called “Guest”. This does not apply to the API.',
  namesChoices: { ask: 'Ask for a name', none: 'Create vouchers without a name' },
  ips: 'IP addresses in the audit log',
  ipsHint: 'Of a shortened address only the network is kept, for example 203.0.113.0/24.',
  ipsChoices: { whole: 'Keep in full', short: 'Shorten after 7 days' },
};

export const logoEn: LogoMessages = {
  title: 'Logo',
  present: 'Current logo',
  none: 'No logo yet.',
  choose: 'Choose a picture',
  hint: 'PNG or JPEG, at most 256 kB, 16 to 2000 pixels per side. Anything else in the file, such as where a photo was taken, is removed.',
  upload: 'Upload logo',
  working: 'Uploading …',
  remove: 'Remove logo',
  issues: {
    empty: 'Please choose a picture.',
    'too-heavy': 'The picture is too large: at most 256 kB.',
    'other-kind': 'This is neither PNG nor JPEG. Other formats, including SVG and GIF, are not accepted.',
    broken: 'The picture is damaged. Please save it again in an image program.',
    'more-after': 'The file contains other data after the picture. Please save it again in an image program.',
    'wrong-size': 'Each side must be 16 to 2000 pixels long.',
  },
};
