// For tests that know a voucher only by its code: revokes it through the API, as an integrator does.

import type { Reply, TestService } from './test-service.ts';

export async function revokeByCode(
  service: Pick<TestService, 'call'>,
  siteId: number,
  code: string,
): Promise<Reply> {
  const { json } = await service.call('GET', `v1/vouchers/by-code/${siteId}/${code}`);
  return service.call('POST', `v1/vouchers/${json.id}/revoke`);
}
