// Keeps a site's own credentials out of what its controller is quoted with: some repeat what they were sent.

import type { Controller, ControllerFailure } from '../domain/controller.ts';
import { MASK } from '../domain/mask-secrets.ts';
import { ok, type Result } from '../domain/result.ts';
import type { Credentials } from '../domain/sites/controller-access.ts';

/** What is shorter could be any word of a sentence; consoles do not accept it as a password either. */
const MIN_MASKED_LENGTH = 8;

export function maskCredentials(driver: Controller, credentials: Credentials): Controller {
  const secret = 'apiKey' in credentials ? credentials.apiKey : credentials.password;
  if (secret.length < MIN_MASKED_LENGTH) return driver;
  const maskFailure = (failure: ControllerFailure): ControllerFailure => ({
    ...failure,
    text: failure.text.replaceAll(secret, MASK),
  });
  const mask = <Value>(result: Result<Value, ControllerFailure>): Result<Value, ControllerFailure> =>
    result.ok ? result : { ok: false, problem: maskFailure(result.problem) };
  const maskOptional = (failure: ControllerFailure | undefined) => failure && maskFailure(failure);

  return {
    bounds: driver.bounds,
    overload: (ordering, count) => maskOptional(driver.overload(ordering, count)),
    async createVouchers(order, count, options) {
      const made = mask(await driver.createVouchers(order, count, options));
      const lookAgain = made.ok && made.value.lookAgain;
      return lookAgain ? ok({ ...made.value, lookAgain: async () => mask(await lookAgain()) }) : made;
    },
    findVouchersNamed: async (names, options) => mask(await driver.findVouchersNamed(names, options)),
    forEachVoucherPage: async (onPage, signal) =>
      maskOptional(await driver.forEachVoucherPage(onPage, signal)),
    findUses: async (signal) => mask(await driver.findUses(signal)),
    deleteVoucher: async (id, signal) => maskOptional(await driver.deleteVoucher(id, signal)),
    listSites: async (signal) => mask(await driver.listSites(signal)),
    check: async (signal) => maskOptional(await driver.check(signal)),
  };
}
