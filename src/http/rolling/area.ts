// The paths of rolling codes. Their handler is loaded with the first request, because most services have no such path.

import { ROLLING_PATH } from '../../domain/screens/screen.ts';
import { type Area, type Handler, problemResponse } from '../handler.ts';
import { makeRouter } from '../v1/routes.ts';

export function makeRollingArea(load: () => Promise<Handler>): Area {
  const late: Handler = async (request) => (await load())(request);
  const unknown: Handler = () => problemResponse({ kind: 'path-unknown' });
  return { ...makeRouter(ROLLING_PATH, { '/{token}': late }, unknown), presentProblem: problemResponse };
}
