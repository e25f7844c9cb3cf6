// The paths of rolling codes. Their handler is loaded with the first request, because most services have no such path.

import { problemResponse } from '../../../kernel/contract/problem-response.ts';
import type { Area, Handler } from '../../../platform/http/handler.ts';
import { makeRouter } from '../../api-v1/routes.ts';
import { ROLLING_PATH } from '../screen.ts';

export function makeRollingArea(load: () => Promise<Handler>): Area {
  const late: Handler = async (request) => (await load())(request);
  const unknown: Handler = () => problemResponse({ kind: 'path-unknown' });
  return { ...makeRouter(ROLLING_PATH, { '/{token}': late }, unknown), presentProblem: problemResponse };
}
