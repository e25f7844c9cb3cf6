// A service whose database also has rows of a newer release, with a signed-in administrator.

import { FUTURE_SECRET, type FutureRows, writeFutureRows } from '../support/future-rows.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addUser, loggedIn, type WebClient } from './web-client.ts';

export interface FutureService {
  service: TestService;
  admin: WebClient;
  rows: FutureRows;
  /** The user with a role of the future, audi@example.org. */
  auditor: number;
}

export async function startFutureService(): Promise<FutureService> {
  const service = await startTestService({ environment: { GASTPASS_SECRET: FUTURE_SECRET } });
  const owner = await addUser(service, 'anna@example.org', 'admin');
  const auditor = await addUser(service, 'audi@example.org', 'operator');
  const admin = await loggedIn(service, 'anna@example.org');
  return { service, admin, auditor, rows: await writeFutureRows(service, { owner, auditor }) };
}
