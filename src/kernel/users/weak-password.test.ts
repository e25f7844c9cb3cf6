// Tests which passwords are refused as too short, common or made of the account's own words.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePassword } from './password.ts';
import { findPasswordIssue } from './weak-password.ts';

const ADA = { email: 'ada.lovelace@pension-seeblick.de', name: 'Ada Lovelace', title: 'Haus Seeblick' };
const issueOf = (password: string) => findPasswordIssue(password, ADA);

test('a password has at least ten characters, whatever they are', () => {
  for (const password of ['', 'kurz', 'xK9#mQ2vL', '😀😀😀😀😀'])
    assert.equal(issueOf(password), 'too-short');
});

const COMMON = [
  'passwort123',
  'Passwort2024!',
  'P@ssw0rd1234',
  'p4ssw0rt2025',
  'password1234',
  'passwordpassword',
  'trowssap123',
  '1234567890',
  '0123456789',
  '9876543210',
  '1111111111',
  'aaaaaaaaaaaa',
  'abcabcabcabc',
  'abcdefghij',
  'qwertzuiop',
  'qwertyuiop',
  'qwertzuiopü',
  'asdfghjklöä',
  'yxcvbnm123',
  '1q2w3e4r5t',
  '1qay2wsx3edc',
  'qazwsxedcrfv',
  'a1b2c3d4e5',
  'Sommer2024!',
  'Winter-2025',
  'sommersommer',
  'iloveyou123',
  'ich liebe dich',
  'Willkommen1!',
  'welcome2024',
  'admin-admin',
  'administrator',
  'Administrator1',
  'letmein12345',
  'changeme123',
  'meinpasswort',
  'mein neues Passwort',
  'MyPassword2024',
  'geheim-geheim',
  'Gäste-WLAN-2024',
  'hotel-rezeption',
  'fussball1990',
  'schalke04schalke04',
  'Bayern München',
  'Thomas-Müller-13',
  'correct horse battery staple',
  'starwars1977',
  'superman!!!!!',
  '01.01.1990 12',
  '0171 23456789',
];
const GOOD = [
  'ein gutes Passwort',
  'selbst gewählt',
  'lang genug ist das',
  'von der Eingabe',
  'vier Kühe tanzen nachts',
  'Hund Katze Sommer Berlin Fahrrad',
  'wer liest denn sowas',
  'xK9#mQ2vLp',
  'kubernetes-lampe',
  'hallo-7364952',
  '七転び八起き、毎日がんばる',
  '7364952860573846',
];

test('common passwords are refused, also with digits, signs, repeats and letters written as digits', () => {
  const accepted = COMMON.filter((password) => issueOf(password) !== 'common');
  assert.deepEqual(accepted, []);
});

test('passwords of unrelated words or random characters are accepted', () => {
  const refused = GOOD.filter((password) => issueOf(password) !== undefined);
  assert.deepEqual(refused, []);
  for (let turn = 0; turn < 200; turn++) assert.equal(issueOf(makePassword()), undefined);
});

const OWN = [
  'ada.lovelace',
  'Lovelace1815',
  'ecalevol-2024',
  'Ada-Gastpass-1',
  'gastpass2024',
  'G4stp4ss-2024',
  'HausSeeblick!',
  'seeblick-passwort',
  'Ada@pension-seeblick',
];

test('passwords made of the user’s name, the address, the title or the product are refused', () => {
  const accepted = OWN.filter((password) => issueOf(password) !== 'own-words');
  assert.deepEqual(accepted, []);
  const other = { email: 'x@y.z', name: 'Xy', title: 'Wi-Fi' };
  assert.equal(findPasswordIssue('Lovelace1815', other), undefined);
  assert.equal(findPasswordIssue('gastpass2024', other), 'own-words');
});

test('a very long password is examined quickly', () => {
  assert.equal(issueOf('a'.repeat(60_000)), 'common');
  assert.equal(issueOf('ab1 '.repeat(15_000)), 'common');
});
