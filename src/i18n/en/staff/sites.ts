// English messages for the site pages.

import type { SitesMessages } from '../../de/staff/sites.ts';

export const sitesEn: SitesMessages = {
  title: 'Sites',
  intro: 'A site is a place with guest Wi-Fi. Its controller creates the vouchers.',
  empty:
    'No site yet. You need the address of the controller and credentials; everything is tested right away.',
  add: 'Set up a site',
  open: 'Open',
  name: 'Name',
  nameHint: 'Appears on vouchers and in notifications',
  number: 'Number (site_id)',
  kind: 'Controller',
  kindHint:
    'UniFi with an API key for Network 9.1 and later; classic for older versions and self-hosted servers, with user and password',
  kinds: {
    unifi: {
      name: 'UniFi (API key)',
      short: 'UniFi',
      fields: {
        apiKey: {
          label: 'API key',
          hint: 'Create it on the controller under Settings → Control Plane → Integrations',
        },
      },
    },
    'unifi-classic': {
      name: 'UniFi classic (user and password)',
      short: 'UniFi classic',
      fields: {
        username: {
          label: 'User',
          hint: 'A local administrator, not a cloud account',
          refused: 'Cloud accounts need a second factor. Please create a local administrator.',
        },
        password: { label: 'Password' },
      },
    },
    simulator: { name: 'Simulator (to try things out)', short: 'Simulator', fields: {} },
  },
  kindUnknown: 'not known to this release',
  controllerSite: 'Site on the controller',
  controllerSiteHint: 'The short name in the controller’s address bar; usually default',
  controllerSiteTrial:
    'Anything on the simulator; fail:refuse, fail:unreachable and others make every voucher fail',
  url: 'Address',
  urlHint: 'For example https://192.168.1.1 or https://unifi.example:8443; none for the simulator',
  urlHintUnifi: 'For example https://192.168.1.1 or https://unifi.example:8443',
  urlWrong: 'Please enter an address such as https://192.168.1.1, with https and without credentials.',
  tooLong: (most) => `At most ${most} characters.`,
  missing: 'Please fill in.',
  invisible: 'Contains invisible characters.',
  checkOut: 'Check-out time',
  checkOutHint: 'HH:MM in 24 hours, such as 11:00. “Until check-out” vouchers end at this time.',
  checkOutWrong: 'Enter a time such as 11:00.',
  timeZone: 'Time zone',
  timeZoneWrong: 'This time zone is not known.',
  timeZoneUnknown: (zone) =>
    `This server does not know the time zone “${zone}”. “Until check-out” vouchers follow the time zone of Gastpass.`,
  timeZoneChoose: 'Choose another time zone.',
  serviceTimeZone: (zone) => `same as Gastpass (${zone})`,
  imports: 'Show vouchers created by others',
  importsHint: 'Vouchers created directly on the controller',
  guestPage: 'Guest page',
  guestPageHint:
    'Reception can give guests a link to a page with the code, the Wi-Fi and instructions. It opens without signing in, until the voucher ends.',
  guestPageLacksUrl: 'For the link to work on the guest’s device, the public address must also be set.',
  state: 'Status',
  active: 'active',
  inactive: 'inactive',
  activate: 'Activate',
  activated: 'The site is active.',
  activatedBut: 'The site is active, but its controller is not accepting anything at the moment.',
  deactivate: 'Deactivate',
  deactivateAsk: (name) => `Deactivate site “${name}”?`,
  deactivateWhat:
    'No new vouchers can be created there, not even through the API, and their use is no longer synced. Vouchers already handed out stay valid on the controller. The site can be activated again at any time.',
  revokeKey: (name) => `Revoke the API key “${name}”, too`,
  revokeKeyWhy: 'The first start created it. It may create and revoke vouchers at all sites.',
  keyNeverUsed: 'It has never been used.',
  keyUsed: (time, ip) => `Last used: ${time}${ip === null ? '' : ` from ${ip}`}.`,
  sync: 'Sync',
  syncNow: 'Sync now',
  syncStale: 'stale',
  syncSince: (since) => `Since ${since}.`,
  syncSucceeded: (succeeded) => `Last succeeded: ${succeeded}`,
  syncOld: (succeeded) => `Last ${succeeded}. Has the service been running all the time?`,
  synced: (listed, changed, gone, imported) =>
    `Synced: ${listed} on the controller, ${changed} changed, ${gone} gone, ${imported} imported.`,
  syncUnderWay: 'The sync is still under way. The result will appear here.',
  syncBusy: 'This site is being synced already.',
  syncFailed: 'The sync failed.',
  test: 'Test with a voucher',
  works: (name) => `${name}: a test voucher was created and deleted again. Everything works.`,
  testFailed: 'The test failed.',
  testNotMade: 'The controller answers, but did not create a test voucher.',
  testUnknown: (name) =>
    `It is unclear whether the test voucher was created. If so, it is on the controller as “${name}” and can be deleted there.`,
  testLeft: (name, code) =>
    `The test voucher was created but could not be deleted. Please delete it on the controller: “${name}”${code && `, code ${code}`}.`,
  certificate: 'Certificate',
  trusts: {
    ca: 'issued by a recognised certificate authority',
    pinned: 'confirmed by hand, SHA-256:',
    insecure:
      'not verified: others may be able to read the traffic. Change the connection to confirm the certificate.',
    unconfirmed: 'not confirmed yet; nothing is sent',
  },
  credentials: 'Credentials',
  credentialsLacking: 'password still missing',
  movedIn: 'Moved in from Unifi-Voucher-Tool, still inactive',
  movedInWhat:
    'Before the site becomes active, Gastpass shows the certificate of the controller and creates a test voucher, which is deleted again. API keys and vouchers have been taken over already.',
  movedInLocked:
    'The password for the controller could not be taken over. Please enter the connection; after the test, the site is active.',
  testAndActivate: 'Test and activate',
  enterConnection: 'Enter the connection',
  credentialsKept: 'stored; never shown again',
  change: 'Change site',
  changeConnection: 'Change connection',
  connectionOf: (name) => `Change the connection of “${name}”`,
  steps: ['Address', 'Certificate', 'Credentials', 'Site and test'],
  stepsLabel: 'Steps',
  next: 'Continue',
  connecting: 'Connecting …',
  back: 'Back',
  certificateTitle: 'Is this the right controller?',
  certificateWhat: (url) =>
    `The certificate of ${url} does not come from a recognised certificate authority, which is normal for UniFi. If this SHA-256 fingerprint is right, Gastpass will connect only to this device from now on. No credentials have been sent yet.`,
  certificateHow: 'How to compare the fingerprint',
  certificateOpen: (url) =>
    `Open ${url} in a browser, preferably on a computer that is connected to the controller’s network by cable. The browser shows a warning. Do not skip it; look at the certificate instead:`,
  browsers: [
    {
      name: 'Chrome and Edge',
      how: 'Click “Not secure” to the left of the address, then the entry about the certificate. The value is on the “General” tab under “SHA-256 Fingerprints”, in the line “Certificate”, not in that of the public key.',
    },
    {
      name: 'Firefox',
      how: 'On the warning page, choose “Advanced”, then the link to the certificate. The value is in the section “Fingerprints” next to “SHA-256”.',
    },
    {
      name: 'Safari on a Mac',
      how: 'On the warning page, choose “Show Details”, then the link to the certificate. Click the arrow beside “Details”; the value is at the very bottom, next to “SHA-256”.',
    },
  ],
  certificateSpelling: 'Upper and lower case, colons and spaces do not matter. All 64 characters must match.',
  certificateCommand: 'Or run this command in the controller’s network:',
  certificateChanged: 'The certificate of the controller has changed',
  certificateChangedWhat: (url) =>
    `${url} shows a certificate other than the confirmed one, so Gastpass sends nothing there any more. If it was renewed, for example by an update or a new device, please compare the new fingerprint and confirm it. Otherwise somebody may be intercepting the connection.`,
  certificateBefore: 'Confirmed until now',
  certificateNow: 'Shown now',
  confirmedAt: (time) => `confirmed on ${time}`,
  noticedAt: (time) => `noticed on ${time}`,
  certificateSame: 'It is the same certificate as before.',
  certificateNew: 'Confirm the new certificate',
  certificateCompare: 'Compare the fingerprints',
  certificateYes: 'It matches, continue',
  vouched: (url) =>
    `The certificate of ${url} was issued by a recognised certificate authority. No credentials have been sent yet.`,
  confirmed: (url) => `The fingerprint of ${url} is confirmed.`,
  credentialsTitle: 'How does Gastpass sign in to the controller?',
  keep: 'Leave empty to keep the current ones.',
  again: 'Credentials are never shown; please enter them again.',
  login: 'Sign in',
  loggingIn: 'Signing in …',
  loginFailed: 'The sign-in failed.',
  tooLate: 'The credentials from the previous step have expired. Please start again.',
  siteTitle: 'Which site of the controller?',
  loggedIn: (count) => `Signed in. The controller has ${count === 1 ? 'one site' : `${count} sites`}.`,
  siteChoiceHint: 'A controller can have several sites; they have the same names here.',
  siteTaken: (name) => `already used by “${name}”`,
  sitesTitle: 'Which sites of the controller?',
  sitesHint: 'The name appears on vouchers and in notifications. It can be changed here or later.',
  allSites: 'Select all',
  selected: 'selected',
  nameOf: (site) => `Name for ${site}`,
  chooseSite: 'Please select at least one site.',
  tooManySites: (most) => `Select at most ${most} sites at a time.`,
  tooSlow: (tested) =>
    `The controller answers too slowly to test so many sites at a time. Select at most ${tested}, and add the others afterwards.`,
  noneSaved: 'Nothing was saved.',
  allTaken: 'All sites of this controller are set up already.',
  findSite: 'Search for a site',
  findSiteHint: (most) => `The list shows at most ${most} sites.`,
  find: 'Search',
  sitesTest: (name) =>
    `Finally, the controller creates a test voucher in each selected site (“${name}”, 1 minute, 1 device), which is deleted at once. Nothing is saved unless this succeeds everywhere.`,
  reuseTitle: 'A controller that is already connected',
  reuseWhat:
    'For further sites of the same controller: address, credentials and fingerprint stay as they are. You only need your password for Gastpass.',
  reuse: (site) => `Reuse the connection of “${site}”`,
  reuseGone: 'This connection no longer exists. Please choose again.',
  sitesHere: (count) => (count === 1 ? 'one site' : `${count} sites`),
  newConsole: 'Connect another controller',
  siteTest: (name) =>
    `Finally, the controller creates a test voucher there (“${name}”, 1 minute, 1 device), which is deleted at once. If this succeeds, the site is saved.`,
  store: 'Test and save',
  testing: 'Creating and deleting test vouchers …',
  anywayTitle: 'Save anyway',
  anywayWhat:
    'If the controller is simply not ready yet, the site can be saved with these credentials and activated later.',
  storeAnyway: 'Save as inactive',
  twin: (name) => `“${name}” already uses this site of the controller.`,
  busy: 'Another site is being saved right now. Please try again.',
  remove: 'Remove',
  removeAsk: (name) => `Remove site “${name}”?`,
  removeWhat:
    'The site has no vouchers and is assigned to nobody. Its address and credentials are deleted. This cannot be undone.',
  removeDemoWhat: (vouchers) =>
    `The site is deleted together with ${vouchers === 1 ? 'one voucher' : `${vouchers.toLocaleString('en-GB')} vouchers`}, its slip, its assignments to users, and the profiles that apply only here. Vouchers of the simulator open no Wi-Fi. This cannot be undone.`,
  removeRefused:
    'The site is active, has vouchers or is assigned to users or profiles. It can only be deactivated.',
  said: 'Technical message:',
  unreachable: 'No connection to the controller.',
  fixes: {
    'name-unknown': 'Check its spelling or enter the IP address.',
    'nobody-answers':
      'Check address and port, and whether the controller runs and can be reached from this server.',
    'not-https': 'Check the port (UniFi OS: 443, own server: 8443).',
    'other-certificate':
      'Nothing was sent. If the certificate was renewed, change the connection and confirm the new one. Otherwise somebody may be intercepting the connection.',
    'unvouched-certificate':
      'It is no longer from a recognised certificate authority. Change the connection and confirm the new certificate.',
    'not-controller': 'Check the address, the port and the kind of controller.',
    'api-missing': 'Update the controller, or choose another kind; for UniFi, “UniFi classic”.',
    'api-key': 'Check that it is complete, or create a new one on the controller.',
    login: 'Check user and password. It has to be a local administrator of the controller.',
    'second-factor': 'Create a local administrator without a second factor.',
    role: 'The account has to be an administrator of this site who may create vouchers.',
    'no-such-site':
      'The site does not exist there, or not for this account. Change the connection and choose one from the list.',
    'other-console':
      'It may have been set up anew or replaced. If that was intended, create a new voucher; otherwise check the address and the site.',
    'asks-for-pause': 'Try again in a few minutes.',
    refused:
      'Some controllers accept no more vouchers when too many are stored; if so, delete old ones there.',
    failed: 'If it is only just starting, wait a little; otherwise restart the controller.',
    'too-slow': 'Check its load and the network, then try again.',
    'broke-off': 'Check the network, then try again.',
    away: 'After several failures, Gastpass waits for a few seconds. Try again in a moment.',
    busy: 'Nothing was sent. Try again in a moment.',
    'no-voucher': 'Check the hotspot portal of the controller.',
    'list-too-long': 'It has more than 500,000 entries. Delete old vouchers on the controller.',
    'not-known':
      'A newer release stored the site; it can neither be used nor changed here. Please upgrade this instance.',
    unknown: 'See the technical message. Once the cause is fixed, test again.',
  },
};
