// Takes the pictures of screens and requests that the documentation shows: a kiosk, a rolling code, the form that adds
// a screen, and the list of requests at the desk of a small hotel. Codes are fixed, so that the pictures stay the same.

import type { Page } from 'playwright-core';
import type { NewGuestRequest } from '../../src/features/requests/guest-request.ts';
import { SCREEN_COOKIE } from '../../src/features/screens/screen.ts';
import type { Image } from '../../src/kernel/settings/settings.ts';
import type { SiteSlip } from '../../src/kernel/slips/slip.ts';
import { makePathToken, makeToken } from '../../src/platform/secrets/token.ts';
import { addRolling } from '../rolling/ground.ts';
import { siteId } from '../stock/support.ts';
import { TESTER } from '../support/actors.ts';
import { openKiosk } from '../support/kiosk.ts';
import { type Desk, setupDesk } from './desk.ts';
import { openDevice } from './screen-device.ts';

type TakePicture = (name: string, png: Buffer) => void;

const LYING = { width: 1280, height: 800 };
const UPRIGHT = { width: 800, height: 1280 };
const DESK = { width: 1180, height: 820 };
/** The form has no empty space beside it. */
const NARROW_DESK = { width: 900, height: 820 };
/** Half the size is enough for the documentation. */
const SMALL = { deviceScaleFactor: 0.5 };
const MINUTE_MS = 60_000;
const SLIP: SiteSlip = {
  wifiName: 'Seeblick Guests',
  wifiSecurity: 'wpa',
  wifiPassword: 'by-the-lake-2026',
  text: '',
  languages: ['en', 'de'],
  colour: '#0a6b8f',
};
const LAKE = `<svg viewBox="0 0 1600 900" width="1600" height="900"><path fill="#bcdff0" d="M0 0h1600v900H0z"/><circle
  cx="1220" cy="210" r="90" fill="#fff3c9"/><path fill="#7fa6bd" d="M0 480 300 250 520 430 820 170l280 250 230-130 270
  180v430H0z"/><path fill="#527f8f" d="m0 540 260-110 300 100 340-130 350 140 350-110v470H0z"/><path fill="#3f7ea6"
  d="M0 600h1600v300H0z"/><path stroke="#6fa8cb" stroke-width="10" d="M0 640h420M560 690h520M180 760h700M1000 800h600"/>
  <path fill="#f4f1e8" d="M1060 700h200l-30 40h-140z"/><path fill="#d9534f" d="M1160 700V560l80 120z"/></svg>`;
const LOGO = `<svg viewBox="0 0 480 140" width="480" height="140"><path fill="#fff" d="M0 0h480v140H0z"/><circle cx="76"
  cy="70" r="52" fill="#0a6b8f"/><path d="M38 84q13-13 26 0t26 0 26 0" stroke="#fff" stroke-width="7" fill="none"/>
  <path fill="#fff" d="M73 34v38h27z"/><text x="152" y="88" font-family="serif" font-size="56" font-weight="700"
  fill="#0a4f6b">Seeblick</text></svg>`;
const REQUESTS: Pick<NewGuestRequest, 'name' | 'host' | 'note'>[] = [
  { name: 'Ms Okafor', host: 'Room 21', note: '' },
  {
    name: 'Lindner family',
    host: 'Room 7',
    note: 'Four of us, until Sunday. Also for the children’s tablet, please.',
  },
  { name: 'Mr Sørensen', host: 'Ms Brandt, front office', note: 'Here for a meeting until 5 pm.' },
];

export async function takeScreenPictures(take: TakePicture): Promise<void> {
  // Nothing but these pictures makes vouchers.
  const desk = await setupDesk({ jobs: false });
  try {
    const profileIds = await furnish(desk);
    await takeKiosk(desk, profileIds, take);
    await takeRolling(desk, take);
    const page = await desk.openLoggedIn({ language: 'en', options: { viewport: NARROW_DESK } });
    await page.goto('/screens/add?kind=kiosk');
    await page.locator('#name').fill('Lobby');
    for (const profile of ['One day', 'One week']) await page.getByLabel(profile).check();
    take('screen-add', await page.locator('main').screenshot());
    await page.setViewportSize(DESK);
    await takeRequests(desk, page, take);
  } finally {
    await desk.close();
  }
}

async function furnish({ service, open }: Desk): Promise<string[]> {
  const { sites, slips, images, profiles } = service.beside;
  const audit = { actor: TESTER, atMs: service.clock.nowMs() };
  await sites.change(siteId, { name: 'Hotel Seeblick' }, audit);
  await slips.save(siteId, SLIP, audit);
  const page = await open();
  await images.save(`site-${siteId}`, await draw(page, LOGO), audit);
  await images.save(`screen-${siteId}`, await draw(page, LAKE), audit);
  await page.context().close();
  const limits = { downKbps: 0, upKbps: 0, quotaMb: 0, siteIds: [] };
  const day = await profiles.add({ name: 'One day', maxUses: 2, expireMinutes: 1_440, ...limits }, audit);
  const week = await profiles.add({ name: 'One week', maxUses: 4, expireMinutes: 10_080, ...limits }, audit);
  return [String(day), String(week)];
}

async function draw(page: Page, svg: string): Promise<Image> {
  await page.setContent(`<body style="margin:0">${svg}`);
  return { type: 'image/png', bytes: await page.locator('svg').screenshot() };
}

/** Without the remark that a demo opens nothing. */
const endDemo = ({ service }: Desk) => service.change("update sites set controller_kind = 'unifi'");
const beginDemo = ({ service }: Desk) => service.change("update sites set controller_kind = 'simulator'");

async function takeKiosk(desk: Desk, profileIds: string[], take: TakePicture): Promise<void> {
  const kiosk = await openKiosk(desk.service, { siteId, name: 'Bar', profileIds });
  const { location } = await kiosk.order({ profile: profileIds[0] ?? '' });
  desk.service.change("update vouchers set code = '0482715936'");
  endDemo(desk);
  const page = await openDevice(desk, kiosk.cookie, { options: { viewport: UPRIGHT, ...SMALL } });
  take('kiosk-start', await page.screenshot());
  await page.goto(location ?? '');
  take('kiosk-result', await page.screenshot());
  await page.context().close();
  beginDemo(desk);
}

async function takeRolling(desk: Desk, take: TakePicture): Promise<void> {
  const device = makeToken();
  const rolling = addRolling(desk.service, { cookie_hash: device.tokenHash, paired_at_ms: 1 });
  await rolling.fill();
  await rolling.look();
  desk.service.change("update vouchers set code = '7350912846' where code <> '0482715936'");
  endDemo(desk);
  const page = await openDevice(desk, `${SCREEN_COOKIE}=${device.token}`, {
    options: { viewport: LYING, deviceScaleFactor: 0.75 },
  });
  take('screen-rolling', await page.screenshot());
  await page.context().close();
}

async function takeRequests({ service }: Desk, page: Page, take: TakePicture): Promise<void> {
  const { guestRequests } = service.beside;
  for (const request of REQUESTS) {
    service.clock.advance(3 * MINUTE_MS);
    const asked = { ...request, siteId, screenId: null, language: 'en' } as const;
    await guestRequests.add(asked, makePathToken());
  }
  await page.goto('/requests');
  take('requests-list', await page.screenshot());
}
