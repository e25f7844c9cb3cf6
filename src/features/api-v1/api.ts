// The second API: its routes, and how its problems look. See docs/api-v1.md.

import type { ResumeBatch } from '../../kernel/batches/resume-batch.ts';
import type { ApiKeyHandler } from '../../kernel/contract/with-api-key.ts';
import type { PlaceOrder } from '../../kernel/vouchers/place-order.ts';
import type { RevokeById } from '../../kernel/vouchers/revoke-by-id.ts';
import type { VoucherStore } from '../../kernel/vouchers/voucher-records.ts';
import type { Area, Handler } from '../../platform/http/handler.ts';
import { makeBatchHandler, makeResumeHandler } from './batches.ts';
import { type FoundDeps, makeFound } from './found.ts';
import { keyHandler } from './key.ts';
import { withKnownInput } from './known-input.ts';
import { makeVoucherHandlers } from './one-voucher.ts';
import { makeOpenapiHandler } from './openapi-handler.ts';
import { problemResponse } from './problems.ts';
import { makeRouter } from './routes.ts';
import { makeSitesHandlers, type SiteDeps } from './sites.ts';
import { makeCreationMethod } from './voucher-creation.ts';
import { makeListHandler } from './voucher-list.ts';

interface Deps extends FoundDeps, Omit<SiteDeps, 'sites'> {
  sites: FoundDeps['sites'] & SiteDeps['sites'];
  vouchers: Pick<VoucherStore, 'onListChange'>;
  placeOrder: PlaceOrder;
  resumeBatch: ResumeBatch;
  runInBackground: (work: Promise<unknown>) => void;
  revokeById: RevokeById;
  basePath: string;
  withApiKey: (handlers: ApiKeyHandler) => Handler;
}

export function makeV1(deps: Deps): Area {
  const { placeOrder, resumeBatch, runInBackground, revokeById } = deps;
  const withApiKey = (...given: Parameters<typeof withKnownInput>) =>
    deps.withApiKey(withKnownInput(...given));
  const prefix = `${deps.basePath}/v1`;
  const found = makeFound(deps);
  const sites = makeSitesHandlers(deps);
  const voucher = makeVoucherHandlers({ found, revokeById });
  const handlers: Record<string, Handler> = {
    '/openapi.json': makeOpenapiHandler(prefix),
    '/key': withApiKey(keyHandler),
    '/sites': withApiKey(sites.list),
    '/sites/{id}': withApiKey(sites.one),
    '/vouchers': withApiKey(
      { ...makeListHandler(deps), ...makeCreationMethod({ placeOrder, found, prefix }) },
      { GET: 'query', POST: 'body' },
    ),
    '/vouchers/{id}': withApiKey(voucher.byId),
    '/vouchers/{id}/revoke': withApiKey(voucher.revoke),
    '/vouchers/by-code/{site}/{code}': withApiKey(voucher.byCode),
    '/batches/{id}': withApiKey(makeBatchHandler(found)),
    '/batches/{id}/resume': withApiKey(makeResumeHandler({ found, resumeBatch, runInBackground })),
  };
  const unknown: Handler = (request) => problemResponse({ kind: 'path-unknown' }, request);
  return { ...makeRouter(prefix, handlers, unknown), presentProblem: problemResponse };
}
