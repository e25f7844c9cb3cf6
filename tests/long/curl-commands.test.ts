// The curl commands of docs/integrations.md: cancelling and booking again with one booking number.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { checkRebooking } from '../integrations/check-rebooking.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

const PAGE = readFileSync(new URL('../../docs/integrations.md', import.meta.url), 'utf8');

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

async function sh(command: string) {
  const env = { PATH: process.env.PATH, BASE: service.api, KEY: service.keyText };
  return JSON.parse((await promisify(execFile)('sh', ['-ec', command], { env })).stdout);
}

test('book, find and revoke', async () => {
  const [, section = ''] = PAGE.split('\n## curl\n');
  const [book = '', find = '', revoke = ''] = [...section.matchAll(/```sh\n(.*?)```/gs)].map(
    ([, code]) => code,
  );
  await checkRebooking(service, '4711', {
    book: () => sh(book),
    async cancel() {
      const { vouchers } = await sh(find);
      assert.equal(vouchers.length, 1);
      assert.match(revoke, /\/17\//);
      assert.equal((await sh(revoke.replace('/17/', `/${vouchers[0].id}/`))).status, 'revoked');
    },
  });
});
