// Detects the flavour of a classic UniFi controller by its answer to `GET /`: UniFi OS sends its start page, the
// Network Server a redirect.

import { fail, ok, type Result } from '../../../platform/values/result.ts';
import type { ControllerFailure } from '../controller.ts';
import { asRepeatable, refused, unreachable } from '../upstream/failures.ts';
import type { Upstream } from '../upstream/upstream-http.ts';
import type { Flavour } from './requests.ts';

export async function detectFlavour(
  upstream: Upstream,
  signal: AbortSignal,
): Promise<Result<Flavour, ControllerFailure>> {
  const response = await upstream.send({ method: 'GET', path: '/' }, { signal, priority: 'finish' });
  if (!response.ok) return fail(asRepeatable(response.problem));
  const { status } = response.value;
  if (status === 200) return ok('unifi-os');
  if (status === 302) return ok('server');
  return fail(
    status >= 500
      ? unreachable('failed', `the controller failed (${status})`)
      : refused('not-controller', `this does not look like a UniFi controller (GET / answered ${status})`),
  );
}
