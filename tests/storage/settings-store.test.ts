// Tests the settings of the installation and its images: changes are merged, and the settings contain the version of
// the logo.

import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { asSiteId } from '../../src/kernel/ids.ts';
import {
  DEFAULT_SETTINGS,
  type ImageStore,
  type SettingsStore,
  versionOf,
} from '../../src/kernel/settings/settings.ts';
import { makeImageStore, makeSettingsStore } from '../../src/kernel/settings/settings-store.ts';
import { actorOf } from '../support/actors.ts';
import { chunk, JPEG, makePng } from '../support/pictures.ts';
import { onEveryEngine } from './engines.ts';

const by = { actor: actorOf('Web: Anna'), atMs: 5 };
const png = { type: 'image/png', bytes: makePng() } as const;
const jpeg = { type: 'image/jpeg', bytes: JPEG } as const;

onEveryEngine('settings', (database) => {
  let settings: SettingsStore;
  let images: ImageStore;
  before(() => {
    settings = makeSettingsStore(database());
    images = makeImageStore(database());
  });
  beforeEach(async () => {
    for (const table of ['settings', 'images', 'audit'] as const)
      await database().write((transaction) => transaction.deleteFrom(table).execute());
  });
  const audit = async () =>
    (await database().read.selectFrom('audit').selectAll().orderBy('id').execute()).map(
      ({ actor, action, subject }) => [actor, action, subject],
    );

  test('the defaults apply until a setting is changed', async () => {
    assert.deepEqual(await settings.read(), DEFAULT_SETTINGS);
  });

  test('a change keeps the other settings and is written to the audit log', async () => {
    await settings.change({ title: 'Hotel Seeblick', keepAuditDays: 90 }, by);
    await settings.change({ language: 'en', keepAuditDays: null }, by);
    assert.deepEqual(await settings.read(), { ...DEFAULT_SETTINGS, title: 'Hotel Seeblick', language: 'en' });
    assert.deepEqual(await audit(), [
      ['Web: Anna', 'settings.changed', '{"title":"Hotel Seeblick","keepAuditDays":90}'],
      ['Web: Anna', 'settings.changed', '{"language":"en","keepAuditDays":null}'],
    ]);
  });

  test('a row of another release is read, and its unknown fields are kept', async () => {
    const value = {
      title: 'Haus',
      language: 'zxx',
      keepAuditDays: '90',
      theme: 'dark',
      secondFactorFor: 'some',
    };
    await database().write((transaction) =>
      transaction
        .insertInto('settings')
        .values({ name: 'house', value: JSON.stringify(value) })
        .execute(),
    );
    assert.deepEqual(await settings.read(), {
      ...DEFAULT_SETTINGS,
      title: 'Haus',
      secondFactorFor: 'everyone',
    });
    await settings.change({ keepVouchersDays: 30 }, by);
    const row = await database().read.selectFrom('settings').select('value').executeTakeFirstOrThrow();
    assert.deepEqual(JSON.parse(row.value), { ...value, keepVouchersDays: 30 });
  });

  test('a PNG is stored without its metadata, and read without it if an earlier release stored it', async () => {
    const bytes = makePng(32, 16, chunk('tEXt', Buffer.from('Author\0Anna')));
    await images.save('logo', { type: 'image/png', bytes }, by);
    const stored = () => database().read.selectFrom('images').select('base64').executeTakeFirstOrThrow();
    assert.equal((await stored()).base64, png.bytes.toString('base64'));
    assert.equal((await settings.read()).logoVersion, versionOf(png));
    await database().write((transaction) =>
      transaction
        .updateTable('images')
        .set({ base64: bytes.toString('base64') })
        .execute(),
    );
    assert.deepEqual(await images.find('logo'), png);
  });

  test('concurrent changes do not overwrite each other', async () => {
    await Promise.all([
      settings.change({ title: 'Hotel Seeblick' }, by),
      settings.change({ language: 'en' }, by),
      settings.change({ keepVouchersDays: 30 }, by),
      images.save('logo', png, by),
    ]);
    const { title, language, keepVouchersDays, logoVersion } = await settings.read();
    assert.deepEqual(
      [title, language, keepVouchersDays, logoVersion],
      ['Hotel Seeblick', 'en', 30, versionOf(png)],
    );
  });

  test('images are read back byte for byte, the latest of each name', async () => {
    assert.equal(await images.find('logo'), undefined);
    await images.save('logo', png, by);
    await images.save(`site-${asSiteId(7)}`, jpeg, by);
    assert.deepEqual(await images.find('logo'), png);
    await images.save('logo', jpeg, by);
    assert.deepEqual(await images.find('logo'), jpeg);
    assert.deepEqual(await images.find(`site-${asSiteId(7)}`), jpeg);
    assert.equal(await images.find(`site-${asSiteId(8)}`), undefined);
  });

  test('the settings contain the version of the logo, which the image of a site does not change', async () => {
    await images.save('logo', png, by);
    await images.save(`site-${asSiteId(7)}`, jpeg, by);
    assert.equal((await settings.read()).logoVersion, versionOf(png));
    assert.equal(await images.remove(`site-${asSiteId(7)}`, by), true);
    assert.equal((await settings.read()).logoVersion, versionOf(png));
    assert.equal(await images.remove('logo', by), true);
    assert.equal((await settings.read()).logoVersion, null);
    assert.equal(await images.remove('logo', by), false);
    assert.deepEqual(
      (await audit()).map(([, action, subject]) => [action, subject]),
      [
        ['image.saved', 'logo'],
        ['image.saved', 'site-7'],
        ['image.removed', 'site-7'],
        ['image.removed', 'logo'],
      ],
    );
  });

  test('a site has a picture for its kiosks beside its logo', async () => {
    const siteId = asSiteId(7);
    await images.save(`site-${siteId}`, png, by);
    await images.save(`screen-${siteId}`, jpeg, by);
    assert.deepEqual(await images.find(`site-${siteId}`), png);
    assert.deepEqual(await images.find(`screen-${siteId}`), jpeg);
    assert.equal(await images.remove(`screen-${siteId}`, by), true);
    assert.deepEqual(await images.find(`site-${siteId}`), png);
    assert.deepEqual(
      (await audit()).map(([, action, subject]) => [action, subject]),
      [
        ['image.saved', 'site-7'],
        ['site.picture-saved', 'site 7 ()'],
        ['site.picture-removed', 'site 7 ()'],
      ],
    );
  });
});
