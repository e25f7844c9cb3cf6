// The driver of a site that a newer release stored and this release does not know. It sends nothing and refuses every
// call; instances of the newer release use the site.

import { fail } from '../../platform/values/result.ts';
import { NOT_KNOWN_HERE } from '../../platform/values/unknown-value.ts';
import type { Controller } from './controller.ts';
import { refused } from './upstream/failures.ts';

const NOT_KNOWN = refused(
  'not-known',
  `the controller of this site is ${NOT_KNOWN_HERE}: upgrade this instance`,
);

export const unknownDriver: Controller = {
  bounds: {},
  overload: () => NOT_KNOWN,
  createVouchers: async () => fail(NOT_KNOWN),
  findVouchersNamed: async () => fail(NOT_KNOWN),
  forEachVoucherChunk: async () => NOT_KNOWN,
  findUses: async () => fail(NOT_KNOWN),
  deleteVoucher: async () => fail(NOT_KNOWN),
  listsAny: async () => fail(NOT_KNOWN),
  listSites: async () => fail(NOT_KNOWN),
  check: async () => NOT_KNOWN,
};
