// What the tools take and return. Orders, filters and results have the schemas of the API, so that both agree.

import { fromJsonSchema, type JsonSchemaType } from '@modelcontextprotocol/server';
import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema';
import {
  description,
  type GenericSchema,
  type InferOutput,
  integer,
  minLength,
  minValue,
  number,
  omit,
  optional,
  pipe,
  strictObject,
  string,
} from 'valibot';
import { ListQuery, NewVouchers } from '../api-v1/requests.ts';
import { SiteList, Voucher, VoucherPage, VoucherWithHistory } from '../api-v1/responses.ts';

const id = (about: string) => optional(pipe(number(), integer(), minValue(1), description(about)));

/** By its id, or by its site and its code. */
const WhichVoucher = strictObject({
  id: id('The `id` of the voucher. Leave it out if you know only the code.'),
  site: id('The `id` of the site, together with `code`.'),
  code: optional(
    pipe(string(), minLength(1), description('The code of the voucher, with or without the dash.')),
  ),
});

const CONVERSION: ConversionConfig = {
  target: 'draft-2020-12',
  typeMode: 'input',
  // JSON Schema has no such rule. The service checks it.
  ignoreActions: ['check'],
};

function toSchema<Schema extends GenericSchema>(schema: Schema) {
  // The two packages have different types for the same JSON.
  const json: JsonSchemaType = JSON.parse(JSON.stringify(toJsonSchema(schema, CONVERSION)));
  return fromJsonSchema<InferOutput<Schema>>(json);
}

export const inputs = {
  nothing: toSchema(strictObject({})),
  filter: toSchema(ListQuery),
  order: toSchema(omit(NewVouchers, ['count'])),
  whichVoucher: toSchema(WhichVoucher),
};

export const outputs = {
  sites: toSchema(SiteList),
  page: toSchema(VoucherPage),
  voucher: toSchema(Voucher),
  voucherWithHistory: toSchema(VoucherWithHistory),
};

export type WhichVoucher = InferOutput<typeof WhichVoucher>;
