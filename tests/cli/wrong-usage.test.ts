// Tests usage errors: exit code 2, the reason on stderr, nothing on stdout, and no effect, not even a new data folder.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { KINDS } from '../../src/kernel/controllers/kinds.ts';
import { makeDatabase, makeFolder, runGastpass } from '../support/run-gastpass.ts';

const { folder, remove } = makeFolder();
after(remove);

const kinds = KINDS.map(({ name }) => name).join(', ');
const wrong: [words: string, reason: RegExp][] = [
  ['dance', /no command "dance"; there are: serve, keys create/],
  ['keys', /no command "keys"; there are: keys create, keys list, keys set, keys revoke$/m],
  ['keys dance', /no command "keys dance"/],
  ['keys create --scope read', /--name is missing/],
  ['keys create --name Theke', /--scope is missing: read or write/],
  ['keys create --name= --scope read', /--name must not be empty/],
  ['keys create --name Theke --scope admin', /--scope: expected one of read, write/],
  ['keys create --name Theke --scope read --rate-limit 1000001', /whole number from 0 to 1000000/],
  ['keys create --name Theke --scope read --rate-limit=-1', /whole number from 0 to 1000000/],
  ['keys create --name Theke --scope read --colour red', /--colour.*see gastpass keys create --help/],
  ['keys create --name Theke --scope read more', /too many words: expected none/],
  ['sites set 1 --active off', /too many words: expected <id>; see gastpass sites set --help/],
  ['keys create --name', /--name.*see gastpass keys create --help/],
  ['keys list --json=yes', /--json/],
  [
    'keys set abcdefgh',
    /nothing to change: give --rate-limit, --scope, --site, --all-sites, --expires or --note/,
  ],
  ['keys set abcdefgh --site 1 --all-sites', /--site and --all-sites exclude each other/],
  ['keys set abcdefgh --site Demo', /"Demo" is not a site id; see gastpass sites list/],
  ['keys set abcdefgh --expires 31.12.2999', /--expires: expected a day such as 2027-12-31, or never/],
  ['keys create --name Theke --scope read --expires 2020-12-31', /--expires: that day is over/],
  [`keys set abcdefgh --note ${'x'.repeat(501)}`, /--note: expected at most 500 characters/],
  ['keys set --scope read', /expected <id>; see gastpass keys set --help/],
  ['keys set abcdefgh --scope read --json', /--json/],
  ['sites add --name Haus', new RegExp(`--controller is missing: ${kinds}$`, 'm')],
  ['sites add --name Haus --controller fritzbox', new RegExp(`--controller: expected one of ${kinds}`)],
  ['sites add --name Haus --controller simulator --site=', /--site must not be empty/],
  ['sites set 1', /nothing to change/],
  ['sites set 1 --active --inactive', /exclude each other/],
  ['sites set 1 --reply-to empfang', /--reply-to: expected an e-mail address of plain ASCII, or default/],
  ['sites set 1 --check-out 24:00', /--check-out: expected a time from 00:00 to 23:59, such as 11:00/],
  ['sites set 1 --time-zone Mars/Olympus', /--time-zone: expected a time zone such as Europe\/Berlin/],
  ['sites set zero --name Haus', /"zero" is not a site id/],
  ['sites test 0', /"0" is not a site id/],
  ['users add --email ada@example.org', /--name is missing/],
  ['users add --email ada --name Ada', /--email: expected an e-mail address/],
  ['users reset-password --email ada', /--email: expected an e-mail address/],
  ['users add --email ada@example.org --name Ada --password-file missing-file', /cannot read missing-file/],
  ['serve --port 80', /--port.*see gastpass serve --help/],
  ['privacy find Jo', /at least three characters/],
  ['privacy erase 1234 --yes', /TEXT is a number.*expected a name, an e-mail or an IP address/],
  ['privacy erase voucher --yes', /TEXT is a word.*expected a name, an e-mail or an IP address/],
  ['vouchers create --site 1', /--name is missing/],
  ['vouchers create --site 1 --name \u202eGast', /--name: control characters and invisible characters/],
  ['vouchers create --site 1 --name Gast --duration 8', /--duration: expected minutes.*such as 90m, 8h/],
  ['vouchers create --site 1 --name Gast --nights 2 --duration 8h', /--duration and --nights exclude/],
  ['vouchers create --site 1 --name Gast --nights 2 --until 2099-01-01', /--nights and --until exclude/],
  ['vouchers create --site 1 --name Gast --email gast', /--email: expected one address such as/],
  ['vouchers create --site 1 --name Gast --email a@b.de --language de_AT', /--language: expected a language/],
  ['vouchers create --site 1 --name Gast --language de', /--language needs --email/],
  ['vouchers create --site 1 --name Gast --print Bar', /--print: expected a whole number from 1 to/],
  ['vouchers create --site 1 --name Gast --nights 366', /--nights: expected a whole number from 1 to 365/],
  ['vouchers create --site 1 --name Gast --uses 0', /--uses: expected a whole number from 1 to 2147483647/],
  ['vouchers create --site 1 --name Gast --count 501', /--count: expected a whole number from 1 to 500/],
  [
    'vouchers list --state valid',
    /--state: expected one of unused, in-use, used-up, expired, revoked, deleted/,
  ],
  ['vouchers revoke --site 1', /--code is missing/],
  ['doctor now', /too many words: expected none/],
];

describe('a usage error ends with exit code 2 and a reason', { concurrency: 4 }, () => {
  for (const [index, [words, reason]] of wrong.entries())
    test(`gastpass ${words}`, async () => {
      const dataDir = join(folder, `data-${index}`);
      const { code, stdout, stderr } = await runGastpass(words.split(' '), { dataDir });
      assert.match(stderr, reason);
      assert.match(stderr, /^gastpass: .+\n$/);
      assert.equal(stdout, '');
      assert.equal(code, 2);
      assert.equal(existsSync(dataDir), false);
    });

  test('a password that is too short is refused and not repeated', async () => {
    const words = ['users', 'add', '--email', 'ada@example.org', '--name', 'Ada', '--password-file', '-'];
    const dataDir = join(folder, 'data');
    await makeDatabase(dataDir);
    const { code, stdout, stderr } = await runGastpass(words, { dataDir, input: 'geheim\n' });
    assert.match(stderr, /a password has at least 10 characters/);
    assert.doesNotMatch(stderr, /geheim/);
    assert.equal(stdout, '');
    assert.equal(code, 2);
  });
});
