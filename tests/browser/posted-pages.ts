// The pages that are the response to a form and have no URL of their own: the steps of the site wizard, secrets that
// are shown once, and forms with validation errors.

import type { SimulatedConsole } from '../../packages/unifi-console/src/index.ts';
import type { TestService } from '../support/test-service.ts';
import type { Enrolled } from '../web/enrolled.ts';
import { pinOf } from '../web/site-form.ts';
import type { WebClient } from '../web/web-client.ts';
import { KEY_NAME } from './desk-things.ts';
import type { Place } from './places.ts';

export interface PostedDeps {
  service: TestService;
  console: SimulatedConsole;
  anna: WebClient;
  guard: WebClient;
  enrolled: Enrolled;
  webhook: number;
  printer: number;
  rolling: number;
}

export function postedPages(deps: PostedDeps): Record<string, Place> {
  const { anna: by } = deps;
  const faulty = (path: string, fields: Record<string, string>): Place => ({
    by,
    path,
    fields: () => fields,
    status: 422,
  });
  return {
    ...guide(deps),
    ...secrets(deps),
    'new-voucher-faulty': faulty('/vouchers', { site: '1', name: '', count: '0', uses: '0' }),
    'settings-faulty': faulty('/settings', { title: '' }),
    'settings-public-url': {
      by,
      path: '/settings/public-url',
      fields: () => ({ 'public-url': 'https://wifi.example.org' }),
    },
    'people-add-faulty': faulty('/users/add', { email: 'empfang', name: '' }),
    'audit-nothing-found': { by, path: '/audit?q=gibt-es-nicht&site=1' },
    'screens-add-faulty': faulty('/screens/add', { kind: 'kiosk', site: '1', name: '', 'per-day': '0' }),
    'screen-picture-faulty': faulty('/sites/1/picture', {}),
    'keys-faulty': faulty('/keys', { name: '', limit: 'x', sites: 'chosen' }),
    'stale-form': { by, path: '/profiles', fields: () => ({ name: 'Tag', token: 'stale' }), status: 403 },
    'site-slip-preview': {
      by,
      path: '/sites/1/slip/preview',
      fields: () => ({ 'wifi-name': 'Gäste', languages: 'de en', paper: 'receipt-58' }),
    },
    'site-slip-faulty': faulty('/sites/1/slip', { 'wifi-security': 'wpa', 'wifi-password': 'kurz' }),
  };
}

function guide({ anna: by, console }: PostedDeps): Record<string, Place> {
  const start = { kind: 'unifi', url: console.url };
  const step = (path: string, fields: Record<string, string> = {}): Place => ({
    by,
    path: `/sites/new${path}`,
    fields: () => ({ ...start, trust: pinOf(console), ...fields }),
  });
  return {
    'sites-new-unreachable': { ...step('', { url: 'https://127.0.0.1:9' }), status: 422 },
    'sites-new-certificate': step(''),
    'sites-new-credentials': step('/certificate'),
    'sites-new-site': step('/site', { 'api-key': console.apiKey }),
  };
}

function secrets({
  service,
  anna: by,
  guard,
  enrolled,
  webhook,
  printer,
  rolling,
}: PostedDeps): Record<string, Place> {
  const keyFields = () => {
    // So that only one such key exists, however often the form is sent.
    service.change('delete from api_keys where name = ?', KEY_NAME);
    return { name: KEY_NAME, scope: 'write', limit: '60' };
  };
  return {
    'key-shown-once': { by, path: '/keys', fields: keyFields },
    'user-link': { by, path: '/users/2/password', fields: () => ({}) },
    'printer-path': { by, path: `/printers/${printer}/path`, fields: () => ({}) },
    'screen-pairing': { by, path: `/screens/${rolling}/pairing`, fields: () => ({}) },
    'screen-path': { by, path: `/screens/${rolling}/path`, fields: () => ({}) },
    'requests-address': { by, path: '/sites/1/requests/address', fields: () => ({}) },
    'webhook-secret': { by, path: `/webhooks/${webhook}/rotate`, fields: () => ({}) },
    'recovery-codes': {
      by: guard,
      path: '/account/second-factor/codes',
      fields: () => ({ code: enrolled.nextCode() }),
    },
  };
}
