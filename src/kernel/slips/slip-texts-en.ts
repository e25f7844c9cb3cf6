// English messages for slips and the slip settings.

import type { OptionalPart } from './paper.ts';
import type { SlipMessages } from './slip-texts-de.ts';

const PARTS: Record<OptionalPart, string> = {
  text: 'your own text',
  steps: 'the steps',
  title: 'logo or title',
};

export const slipEn: SlipMessages = {
  busy: 'Too many PDFs are being created right now. Please try again in a few seconds.',
  title: 'Slips',
  of: (site) => `Slips of ${site}`,
  intro: 'What is printed on the vouchers of this site.',
  wifiName: 'Wi-Fi name (SSID)',
  wifiNameHint: 'Exactly as devices show it.',
  wifiSecurity: 'Security',
  open: 'Open, no password',
  wpa: 'WPA, with a password',
  wifiPassword: 'Wi-Fi password',
  wifiPasswordHint:
    'Printed in plain text on every slip, and in the QR code. Leave empty if guests get it elsewhere; there is no QR code for joining then.',
  wifiPasswordKept: 'Stored, and not shown here. Leave empty to keep it.',
  removePassword: 'Remove the stored password',
  ownText: 'Your own text',
  ownTextHint: (most, lines) =>
    `A greeting, breakfast times, where to get help: up to ${most} characters in at most ${lines} lines`,
  languages: 'Language of the slips',
  languagesHint: 'For all slips of this site, whoever prints them. The default follows the settings.',
  installationLanguage: (name) => `Default (${name})`,
  inTwoLanguages: (one, other) => `${one} and ${other}`,
  stepsIn: (language) => `Steps in ${language}`,
  stepsHint: (placeholder, most) =>
    `One step per line, at most ${most}; they are numbered for you. ${placeholder} stands for the Wi-Fi name. Leave empty for no steps.`,
  theme: 'Theme',
  themes: { classic: 'Classic', calm: 'Calm', strong: 'Strong' },
  colour: 'Colour of the band',
  colourHint:
    'The text on it is white or black. On rolls the band is always black. The guest page shows the colour, too.',
  logoHasName: 'The logo contains the name',
  firstLabel: 'First free label',
  firstLabelHint: (most) => `For a sheet with used labels: 1 to ${most}, counted by row from the top left.`,
  apply: 'Apply',
  paper: 'Paper',
  papers: {
    a4: 'A4 to cut',
    receipt: '80 mm roll',
    'receipt-58': '58 mm roll',
    'labels-21': 'Labels 63.5 × 38.1 mm',
    'labels-8': 'Labels 99.1 × 67.7 mm',
  },
  perSheet: (count) => `${count} slips on a sheet`,
  length: (mm) => `A slip is ${mm} mm long`,
  noRoom: (parts) =>
    `This paper has no room for everything. Missing: ${parts.map((part) => PARTS[part]).join(', ')}.`,
  actualSize: 'In the print dialog, choose 100 % or “Actual size”, and no margins.',
  refresh: 'Update the preview',
  retypePassword: 'Not saved yet: please enter the password again before you save.',
  chooseLogoAgain: 'Not saved yet: please choose the logo again before you save.',
  logoHint:
    'Without a logo of its own, the slip shows the logo from the settings. If there is none, it shows the title.',
  withName: 'Slips then show it, and guests join by scanning the QR code.',
  preview: 'Preview',
  previewName: 'Room 12',
  noJoinQr:
    'Without a password, the slip has no QR code for joining. The QR code contains the voucher code instead.',
  previewHint: 'The password is hidden here, but not on paper. The QR code is real.',
  save: 'Save',
  back: 'Back to the site',
  issues: {
    openWithPassword: 'An open Wi-Fi has no password. Choose “WPA, with a password” or empty the field.',
    invisible: 'Contains invisible characters.',
    nameTooLong: (most) => `At most ${most} bytes; letters with accents count twice, emoji four times.`,
    password: (least, most) => `${least} to ${most} characters, or 64 hexadecimal digits.`,
    textTooLong: (most) => `At most ${most} characters.`,
    tooManyLines: (most) => `At most ${most} lines.`,
    noWifiName: (placeholder) => `Without a Wi-Fi name, ${placeholder} cannot be replaced.`,
  },
  joinQr: 'QR code that lets a device join the Wi-Fi',
  pdf: 'Save PDF',
  document: (count) => (count === 1 ? '1 voucher' : `${count} vouchers`),
  onPages: (vouchers, pages) => `${vouchers} on ${pages === 1 ? '1 page' : `${pages} pages`}`,
  unnamed: (site) => `The slips of “${site}” do not say what the Wi-Fi is called.`,
  enterName: 'Enter the Wi-Fi name',
  askForName: 'An administrator can enter the name.',
  leftOut: (counts) => `No longer valid and therefore left out: ${counts}.`,
  nothing: 'Nothing selected to print.',
  tooMany: (most) => `At most ${most} vouchers at a time.`,
};
