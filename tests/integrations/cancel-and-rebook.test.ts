// Changing, cancelling and booking again with one booking number, by the client and by the workflow for n8n. A test of
// the long tier does it with curl.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { GastpassError } from '../../packages/client/src/index.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { checkRebooking } from './check-rebooking.ts';
import { callWebhook } from './n8n-workflow.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

test('with the client', async () => {
  const order = { site: 1, name: 'Room 12', nights: 2, reference: 'by client', replaces: true };
  await checkRebooking(service, 'by client', {
    book: (revision) =>
      service.client.createVoucher(order, { idempotencyKey: `client-by-client-r${revision}` }).then(
        () => true,
        (error) => {
          assert.ok(error instanceof GastpassError && error.code === 'idempotency-key-ended');
          return false;
        },
      ),
    async cancel() {
      for await (const { id } of service.client.eachVoucher({ reference: 'by client', status: 'unused' }))
        await service.client.revokeVoucher(id);
    },
  });
});

test('with the workflow for n8n', async () => {
  const call = (webhook: string, revision?: number) =>
    callWebhook(
      webhook,
      { booking: 'by n8n', revision, name: 'Room 12' },
      async ({ url, headers, method, body }) => {
        const path = url.replace('https://wifi.example.org/api/', '');
        const { status, json, headers: headersOfReply } = await service.call(method, path, { headers, body });
        return { status, json, headers: Object.fromEntries(headersOfReply) };
      },
    );
  await checkRebooking(service, 'by n8n', {
    book: async (revision) => Object.hasOwn(Object(await call('booking', revision)).response, 'vouchers'),
    cancel: () => call('cancellation'),
  });
});
