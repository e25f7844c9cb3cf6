// Cancelling and booking again with one booking number, by the client and by the workflow for n8n. A test of the long tier
// does it with curl.

import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../support/test-service.ts';
import { checkRebooking } from './check-rebooking.ts';
import { callWebhook } from './n8n-workflow.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

test('with the client', async () => {
  const order = { site: 1, name: 'Room 12', nights: 2, reference: 'by client' };
  await checkRebooking(service, 'by client', {
    book: () => service.client.createVoucher(order, { idempotencyKey: 'booking-by-client-r1' }),
    async cancel() {
      for await (const { id } of service.client.eachVoucher({ reference: 'by client', status: 'unused' }))
        await service.client.revokeVoucher(id);
    },
  });
});

test('with the workflow for n8n', async () => {
  const call = (webhook: string) =>
    callWebhook(webhook, { booking: 'by n8n', name: 'Room 12' }, async ({ url, headers, method, body }) => {
      const path = url.replace('https://wifi.example.org/api/', '');
      const { status, json } = await service.call(method, path, { headers, body });
      return { status, json, headers: {} };
    });
  await checkRebooking(service, 'by n8n', {
    book: () => call('booking'),
    cancel: () => call('cancellation'),
  });
});
