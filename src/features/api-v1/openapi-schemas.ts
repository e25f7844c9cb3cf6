// The JSON schemas of the OpenAPI document, made from the schemas that decode requests and type responses.

import { type ConversionConfig, toJsonSchemaDefs } from '@valibot/to-json-schema';
import { ListQuery, NewVouchers } from './requests.ts';
import {
  AcceptedBatch,
  Batch,
  CreatedVouchers,
  Key,
  Problem,
  Site,
  SiteList,
  Voucher,
  VoucherPage,
  VoucherWithHistory,
} from './responses.ts';

const OPTIONS: ConversionConfig = {
  target: 'draft-2020-12',
  typeMode: 'input',
  // JSON Schema has no such rule. Its description says it.
  ignoreActions: ['check'],
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
};

export const schemas = toJsonSchemaDefs(
  {
    NewVouchers,
    Voucher,
    VoucherWithHistory,
    VoucherPage,
    CreatedVouchers,
    AcceptedBatch,
    Batch,
    Site,
    SiteList,
    Key,
    Problem,
  },
  OPTIONS,
);

/** The parameters in the query of GET /vouchers, in the order of their schema. */
export function queryParameters(): object[] {
  const { ListQuery: query } = toJsonSchemaDefs({ ListQuery }, OPTIONS);
  return Object.entries(query.properties ?? {}).map(([name, schema]) => {
    const { description, ...rest } = typeof schema === 'object' ? schema : {};
    return { name, in: 'query', required: false, description, schema: rest };
  });
}
