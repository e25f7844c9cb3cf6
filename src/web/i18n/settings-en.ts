// English messages for the settings page, retention and logos.

import type { LogoMessages, SettingsMessages } from './settings-de.ts';

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
  languageHint: 'For everyone who has not chosen their own.',
  languages: { browser: 'As set in the browser', de: 'Deutsch', en: 'English' },
  apiPage: 'API documentation page',
  apiPageHint: 'Describes the API for other programs. It never shows keys.',
  apiPages: { open: 'Visible to everyone', closed: 'Only after signing in' },
  retention: 'Retention',
  retentionIntro:
    'Anything older is deleted every hour. For vouchers, the time counts from their end; valid vouchers are never deleted.',
  vouchers: 'Expired vouchers',
  audit: 'Audit log',
  keep: { ever: 'Forever', 30: '30 days', 90: '90 days', 180: '180 days', 365: '1 year', 730: '2 years' },
  own: 'Custom',
  days: 'days',
  daysIssue: (fewest, most) => `Enter a whole number from ${fewest} to ${most}.`,
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
};

export const logoEn: LogoMessages = {
  title: 'Logo',
  of: (site) => `Logo of ${site}`,
  present: 'Current logo',
  none: 'No logo yet.',
  choose: 'Choose a picture',
  hint: 'PNG or JPEG, at most 256 kB, 16 to 2000 pixels per side. It is stored unchanged, including anything else in the file, such as where a photo was taken.',
  upload: 'Upload logo',
  working: 'Uploading …',
  remove: 'Remove logo',
  back: 'Back to the slips',
  issues: {
    empty: 'Please choose a picture.',
    'too-heavy': 'The picture is too large: at most 256 kB.',
    'other-kind': 'This is neither PNG nor JPEG. Other formats, including SVG and GIF, are not accepted.',
    broken: 'The picture is damaged. Please save it again in an image program.',
    'more-after': 'The file contains other data after the picture. Please save it again in an image program.',
    'wrong-size': 'Each side must be 16 to 2000 pixels long.',
  },
};
