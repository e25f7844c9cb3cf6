// Lets open batches wait no longer for their controllers, as if half an hour had passed.

import type { TestService } from './test-service.ts';
import { until } from './until.ts';

export function endWaitingBatches({ change }: Pick<TestService, 'change'>): Promise<void> {
  return until(() => {
    try {
      change('update batches set goes_on_until_ms = 1 where ended_at_ms is null');
      return true;
    } catch {
      // A transaction of the service holds a batch, and the change of a test cannot wait for it.
      return false;
    }
  });
}
