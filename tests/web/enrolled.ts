// A user with a second factor: reads the secret from the page, as an authenticator app would, and enters its codes.

import assert from 'node:assert/strict';
import { codeOfStep, stepAt } from '../../src/kernel/users/totp.ts';
import type { TestService } from '../support/test-service.ts';
import type { Page, WebClient } from './web-client.ts';

export const SETUP = '/account/second-factor/new';
const STEP_MS = 30_000;

export interface Enrolled {
  secret: string;
  recoveryCodes: string[];
  /** The code of a time step that was not used yet. */
  nextCode(): string;
}

export function readOffer({ text }: Pick<Page, 'text'>): { secret: string; offer: string } {
  const secret = /class="secret-text">([^<]+)</.exec(text)?.[1]?.replaceAll(' ', '') ?? '';
  return { secret, offer: /name="offer" value="([^"]+)"/.exec(text)?.[1] ?? '' };
}

export function readCodes({ text }: Pick<Page, 'text'>): string[] {
  return /class="secret-text">([^<]+)</.exec(text)?.[1]?.split('\n') ?? [];
}

export function appCode({ clock }: TestService, secret: string): string {
  return codeOfStep(secret, stepAt(clock.nowMs()));
}

export async function enrol(service: TestService, webClient: WebClient): Promise<Enrolled> {
  const { secret, offer } = readOffer(await webClient.get(SETUP));
  const confirmed = await webClient.post(SETUP, { offer, code: appCode(service, secret) });
  assert.equal(confirmed.status, 200);
  return {
    secret,
    recoveryCodes: readCodes(confirmed),
    nextCode() {
      service.clock.advance(STEP_MS);
      return appCode(service, secret);
    },
  };
}
