// Masks a site's API key or password in the failure texts of its driver: some controllers quote it.

import { maskKnownSecret } from '../../platform/secrets/mask-secrets.ts';
import { ok, type Result } from '../../platform/values/result.ts';
import type { Controller, ControllerFailure } from './controller.ts';

/** A shorter secret could be an ordinary word in the text; consoles do not accept such short passwords anyway. */
const MIN_MASKED_LENGTH = 8;

export function maskSecretsOfDriver(driver: Controller, secrets: string[]): Controller {
  const masked = secrets.filter(({ length }) => length >= MIN_MASKED_LENGTH);
  if (masked.length === 0) return driver;
  const maskFailure = (failure: ControllerFailure): ControllerFailure => ({
    ...failure,
    text: masked.reduce(maskKnownSecret, failure.text),
  });
  const mask = <Value>(result: Result<Value, ControllerFailure>): Result<Value, ControllerFailure> =>
    result.ok ? result : { ok: false, problem: maskFailure(result.problem) };
  const maskOptional = (failure: ControllerFailure | undefined) => failure && maskFailure(failure);

  const disconnectDevices = driver.disconnectDevices?.bind(driver);
  return {
    bounds: driver.bounds,
    overload: (ordering, count) => maskOptional(driver.overload(ordering, count)),
    async createVouchers(order, count, options) {
      const made = mask(await driver.createVouchers(order, count, options));
      const lookAgain = made.ok && made.value.lookAgain;
      return lookAgain ? ok({ ...made.value, lookAgain: async () => mask(await lookAgain()) }) : made;
    },
    findVouchersNamed: async (names, options) => mask(await driver.findVouchersNamed(names, options)),
    forEachVoucherChunk: async (onChunk, signal) =>
      maskOptional(await driver.forEachVoucherChunk(onChunk, signal)),
    findUses: async (signal) => mask(await driver.findUses(signal)),
    deleteVoucher: async (id, signal) => mask(await driver.deleteVoucher(id, signal)),
    listsAny: async (ids, signal) => mask(await driver.listsAny(ids, signal)),
    listSites: async (signal) => mask(await driver.listSites(signal)),
    check: async (signal) => maskOptional(await driver.check(signal)),
    ...(disconnectDevices && {
      async disconnectDevices(use, signal) {
        const { count, failure } = await disconnectDevices(use, signal);
        return failure ? { count, failure: maskFailure(failure) } : { count };
      },
    }),
    ...(driver.readVersion && { readVersion: driver.readVersion }),
  };
}
