// The words of the settings page, of retention and of logos in English.

import type { LogoWords, SettingsWords } from './settings-de.ts';

export const settingsEn: SettingsWords = {
  title: 'Settings',
  saved: 'Saved.',
  look: 'Appearance',
  name: 'Title',
  nameHint: 'Stands at the top of the navigation, on the sign-in page and in the title of every page.',
  nameFaults: {
    missing: 'Please enter a title.',
    'too-long': 'At most 40 characters.',
    'not-plain': 'The title contains invisible characters.',
  },
  language: 'Language',
  languageHint: 'For everybody who has not chosen their own.',
  languages: { browser: 'As set in the browser', de: 'Deutsch', en: 'English' },
  apiPage: 'Page about the interface (API)',
  apiPageHint: 'Describes the interface for other programs. Keys are never on it.',
  apiPages: { open: 'Shown to everybody', closed: 'Only after signing in' },
  retention: 'Retention',
  retentionIntro:
    'What is older is deleted every hour. For vouchers the time runs from their end; a voucher that still works is never deleted.',
  vouchers: 'Expired vouchers',
  audit: 'Audit log',
  keep: { ever: 'For ever', 30: '30 days', 90: '90 days', 180: '180 days', 365: '1 year', 730: '2 years' },
  own: 'Own number',
  days: 'days',
  daysFault: (fewest, most) => `A whole number from ${fewest} to ${most}.`,
  preview: 'Show what would be deleted',
  ask: 'Change retention?',
  kept: (vouchers, audit) => `Expired vouchers: ${vouchers}. Audit log: ${audit}.`,
  keptEver: 'for ever',
  keptDays: (days) => `${days} days`,
  nothing: 'Nothing would be deleted at the moment.',
  someVouchers: (count, ended) =>
    `This would now delete ${count} ${count === '1' ? 'voucher' : 'vouchers'} that ended ${ended}.`,
  endedOn: (day) => `on ${day}`,
  endedBetween: (first, last) => `between ${first} and ${last}`,
  someAudit: (count) =>
    count === '1' ? '1 entry of the audit log would go.' : `${count} entries of the audit log would go.`,
  forGood: 'This cannot be undone.',
  saveRetention: 'Save retention',
};

export const logoEn: LogoWords = {
  title: 'Logo',
  of: (site) => `Logo of ${site}`,
  present: 'The logo as it is now',
  none: 'No logo yet.',
  choose: 'Choose a picture',
  hint: 'PNG or JPEG, at most 256 kB, 16 to 2000 pixels each side. It is stored as it is, with whatever else the file says about itself, such as where a photo was taken.',
  upload: 'Upload logo',
  working: 'Uploading …',
  remove: 'Remove logo',
  back: 'Back to the slips',
  faults: {
    empty: 'Please choose a picture.',
    'too-heavy': 'The picture is too large: at most 256 kB.',
    'other-kind': 'This is neither PNG nor JPEG. Other formats, SVG and GIF among them, are not accepted.',
    broken: 'The picture is damaged. Please save it again in an image program.',
    'more-after': 'Something else is attached to the picture. Please save it again in an image program.',
    'wrong-size': 'Each side must be 16 to 2000 pixels long.',
  },
};
