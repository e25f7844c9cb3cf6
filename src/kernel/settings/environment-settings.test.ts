// Tests the lines with which an administrator sets a setting of the environment.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restartCommand, type SettingsPlace, settingLine } from './environment-settings.ts';

test('the line and the command fit the way the service was installed', () => {
  const setting = { name: 'PUBLIC_URL', value: 'https://wifi.example.org' };
  const say = (place: SettingsPlace) => [settingLine(place, setting), restartCommand(place)];
  assert.deepEqual(say('settings-file'), [
    'PUBLIC_URL=https://wifi.example.org',
    'sudo systemctl restart gastpass',
  ]);
  assert.deepEqual(say('compose-file'), [
    'PUBLIC_URL: "https://wifi.example.org"',
    'docker compose up --detach',
  ]);
  assert.deepEqual(say('npm-command'), ['PUBLIC_URL=https://wifi.example.org gastpass serve', undefined]);
  assert.deepEqual(say('clone-command'), ['PUBLIC_URL=https://wifi.example.org npm start', undefined]);
});

test('values are quoted where they have to be, and an unknown value is left out', () => {
  const line = (place: SettingsPlace, value?: string) => settingLine(place, { name: 'BACKUP_DIR', value });
  assert.equal(line('settings-file', '/mnt/own backups'), "BACKUP_DIR='/mnt/own backups'");
  assert.equal(line('npm-command', '$(reboot)'), "BACKUP_DIR='$(reboot)' gastpass serve");
  assert.equal(line('clone-command', "it's"), String.raw`BACKUP_DIR='it'\''s' npm start`);
  assert.equal(line('compose-file', 'a "b"'), String.raw`BACKUP_DIR: "a \"b\""`);
  assert.equal(line('settings-file'), 'BACKUP_DIR=…');
  assert.equal(line('compose-file'), 'BACKUP_DIR: …');
});
