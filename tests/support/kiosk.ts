// A kiosk as the service sees it: a paired device that opens the start page, sends its form and opens the result.

import type { TypedScreen } from '../../src/features/screens/add-screen.ts';
import type { ScreenId } from '../../src/kernel/ids.ts';
import { addScreenTo, pairDevice } from './added-screen.ts';
import type { TestService } from './test-service.ts';

export interface KioskPage {
  status: number;
  headers: Headers;
  text: string;
  location: string | null;
}

export interface Kiosk {
  id: ScreenId;
  /** The Cookie header of the device. */
  cookie: string;
  send(path: string, init?: RequestInit): Promise<KioskPage>;
  /** Sends these fields as they are. */
  post(fields: Record<string, string>): Promise<KioskPage>;
  /** Opens the start page and sends its form, as a guest does. */
  order(fields?: Record<string, string>, query?: string): Promise<KioskPage>;
  /** Orders, and opens the result. */
  take(fields?: Record<string, string>, query?: string): Promise<KioskPage>;
}

export async function openKiosk(service: TestService, typed: Omit<TypedScreen, 'kind'>): Promise<Kiosk> {
  const { id, pairingCode } = await addScreenTo(service.beside, typed);
  const cookie = await pairDevice(service.url, pairingCode);
  return { id, ...deviceOf(service.url, cookie) };
}

export function deviceOf(url: string, cookie: string): Omit<Kiosk, 'id'> {
  async function send(path: string, init: RequestInit = {}): Promise<KioskPage> {
    const response = await fetch(url + path, {
      redirect: 'manual',
      ...init,
      headers: { accept: 'text/html', cookie, ...init.headers },
    });
    const { status, headers } = response;
    return { status, headers, text: await response.text(), location: headers.get('location') };
  }

  function post(fields: Record<string, string>): Promise<KioskPage> {
    const headers = { 'sec-fetch-site': 'same-origin' };
    return send('/screen', { method: 'POST', headers, body: new URLSearchParams(fields) });
  }

  async function order(fields: Record<string, string> = {}, query = ''): Promise<KioskPage> {
    return post({ ...hiddenFieldsOf(await send(`/screen${query}`)), profile: 'standard', ...fields });
  }

  return {
    cookie,
    send,
    post,
    order,
    async take(fields, query) {
      const ordered = await order(fields, query);
      return ordered.location ? send(ordered.location) : ordered;
    },
  };
}

/** What the form sends without the guest. */
export function hiddenFieldsOf({ text }: Pick<KioskPage, 'text'>): Record<string, string> {
  const fields = text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g);
  return Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, value]));
}
