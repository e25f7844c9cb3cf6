// Makes the response for a problem: `application/problem+json`, with the headers of the contract.

import { refusalOf, retryHeaders } from '../../kernel/contract/problem-response.ts';
import type { HttpRequest, HttpResponse } from '../../platform/http/handler.ts';
import { contractProblemOf, detailsOf, INVALID, type V1Problem } from './problem-details.ts';

interface Presented {
  status: number;
  headers: Record<string, string>;
  /** The JSON up to the request id. */
  start: string;
}

/** Made only once, so that a refusal costs no more than a successful request. */
const WITHOUT_KEY = present({ kind: 'unauthorized', keyWasSent: false });
const WITH_WRONG_KEY = present({ kind: 'unauthorized', keyWasSent: true });
const PATH_UNKNOWN = present({ kind: 'path-unknown' });

export function problemResponse(problem: V1Problem, { id }: Pick<HttpRequest, 'id'>): HttpResponse {
  const { status, headers, start } = presentedOnce(problem) ?? present(problem);
  return { status, headers, body: `${start}${id}"}` };
}

function presentedOnce(problem: V1Problem): Presented | undefined {
  if (problem.kind === 'unauthorized') return problem.keyWasSent ? WITH_WRONG_KEY : WITHOUT_KEY;
  return problem.kind === 'path-unknown' ? PATH_UNKNOWN : undefined;
}

function present(problem: V1Problem): Presented {
  const { request_id, ...details } = detailsOf(problem);
  const ofContract = contractProblemOf(problem);
  return {
    status: details.status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      ...(ofContract && refusalOf(ofContract).headers),
      ...retryHeaders(ofContract ?? INVALID),
    },
    start: `${JSON.stringify(details).slice(0, -1)},"request_id":"`,
  };
}
