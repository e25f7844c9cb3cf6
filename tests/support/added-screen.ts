// Adds a screen to an installation, as the page and the command do, and pairs a device with it.

import assert from 'node:assert/strict';
import type { NewScreenSecrets, TypedScreen } from '../../src/features/screens/add-screen.ts';
import { SCREEN_COOKIE } from '../../src/features/screens/screen.ts';
import { makeScreenUseCases } from '../../src/features/screens/screen-use-cases.ts';
import type { Installation } from '../../src/kernel/installation.ts';
import { TESTER } from './actors.ts';

/** By default a kiosk. */
export async function addScreenTo(
  installation: Installation,
  typed: Omit<TypedScreen, 'kind'> & { kind?: string },
): Promise<NewScreenSecrets> {
  const { addScreen } = makeScreenUseCases(installation);
  const screen = { kind: 'kiosk', name: 'Lobby', ...typed };
  const added = await addScreen(screen, { actor: TESTER, atMs: installation.clock.nowMs() });
  assert.ok(added.ok, JSON.stringify(added));
  return added.value;
}

/** Sends the pairing code as the form does. Returns the Cookie header of the device. */
export async function pairDevice(url: string, pairingCode: string): Promise<string> {
  const paired = await sendCode(url, pairingCode);
  assert.deepEqual([paired.status, paired.headers.get('location')], [303, '/screen']);
  return cookieOf(paired) ?? assert.fail('no cookie');
}

export function sendCode(url: string, code: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/screen`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'sec-fetch-site': 'same-origin', accept: 'text/html', 'accept-language': 'en', ...headers },
    body: new URLSearchParams({ code }),
  });
}

/** The Cookie header of the device; undefined if the response sets no such cookie. */
export function cookieOf(response: Response): string | undefined {
  const set = response.headers.getSetCookie().find((text) => text.startsWith(`${SCREEN_COOKIE}=`));
  return set?.split(';')[0];
}
