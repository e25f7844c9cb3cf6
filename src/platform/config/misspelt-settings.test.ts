// Tests which environment variables are reported as misspelt settings, and which belong to other programs.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { findMisspeltSettings, settingNames } from './misspelt-settings.ts';

const meantBy = (name: string) => findMisspeltSettings({ [name]: 'x' })[0]?.meant;

test('a name with a small mistake is reported with the setting that was meant', () => {
  for (const [name, meant] of [
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
    ['GASTPASS_SECERT', 'GASTPASS_SECRET'],
    ['GASTPASS_SECRET_FLIE', 'GASTPASS_SECRET_FILE'],
    ['DATADIR', 'DATA_DIR'],
    ['PROT', 'PORT'],
    ['SYNC_INTERVAL', 'SYNC_INTERVAL_S'],
    ['public_url', 'PUBLIC_URL'],
  ] as const)
    assert.equal(meantBy(name), meant, name);
});

test('settings, empty variables and the variables of other programs are not reported', () => {
  const others =
    'PATH HOME HOSTNAME LANG TERM USER PWD PGPORT SHELL LOGNAME MAIL DATABASE_USER XDG_DATA_DIRS';
  const kubernetes =
    'GASTPASS_SERVICE_HOST GASTPASS_PORT GASTPASS_PORT_8080_TCP_ADDR GASTPASS_SERVICE_PORT_HTTP';
  const names = [...settingNames(), ...others.split(' '), ...kubernetes.split(' ')];
  assert.deepEqual(findMisspeltSettings(Object.fromEntries(names.map((name) => [name, 'x']))), []);
  assert.deepEqual(findMisspeltSettings({ TRUSTED_PROXY: '' }), []);
});

test('every setting is documented, and every documented setting exists', () => {
  const document = readFileSync(new URL('../../../docs/settings.md', import.meta.url), 'utf8');
  const rows = document.split('\n').filter((line) => line.startsWith('| `'));
  const documented = rows.flatMap((line) => line.split('|')[1]?.match(/[A-Z][A-Z_]+/g) ?? []);
  const known = settingNames().filter((name) => !name.endsWith('_FILE'));
  assert.deepEqual(documented.sort(), known.sort());
});
