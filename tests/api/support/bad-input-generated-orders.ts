// Generators of order bodies for property tests: fields whose meaning under the contract is known, and bodies of any
// shape that mostly use the real field names.

import fc, { type Arbitrary } from 'fast-check';
import { type Field, integerField, nameField } from './bad-input-generated-fields.ts';

const absent = <Meaning>(field: Arbitrary<Field<Meaning>>): Arbitrary<Field<Meaning> | undefined> =>
  fc.option(field, { nil: undefined, freq: 4 });

export const fieldsOfOrder = fc.record({
  site: fc.oneof(
    {
      weight: 5,
      arbitrary: fc.constantFrom('1', '"1"', '1.9', '" +1 "').map((json) => ({ json, means: 1 })),
    },
    { weight: 1, arbitrary: absent(integerField) },
  ),
  name: fc.oneof({ weight: 8, arbitrary: nameField }, { weight: 1, arbitrary: fc.constant(undefined) }),
  maxUses: absent(integerField),
  expireMinutes: absent(integerField),
  down: absent(integerField),
  up: absent(integerField),
  quotaMb: absent(integerField),
  /** Sent in place of the qos object, so that qos counts as absent. */
  notQos: fc.option(fc.constantFrom('null', '5', '[]', '"down"', 'true'), { nil: undefined, freq: 6 }),
  /** Unknown fields in front of the known fields. */
  noise: fc.array(fc.constantFrom('"x":1', '"":[]', '"__proto__":{"site_id":1}', '"toString":null'), {
    maxLength: 2,
  }),
  /** Whether each field also has an earlier value, which the last value overrides. */
  repeated: fc.boolean(),
});

export type OrderFields = typeof fieldsOfOrder extends Arbitrary<infer Fields> ? Fields : never;

export function toBody(fields: OrderFields): string {
  const { site, name, maxUses, expireMinutes, down, up, quotaMb, notQos, noise, repeated } = fields;
  const member = (key: string, field: Field<unknown> | undefined) =>
    field ? [`"${key}":${field.json}`] : [];
  const qos = [...member('down', down), ...member('up', up), ...member('quota_mb', quotaMb)];
  const members = [
    ...member('site_id', site),
    ...member('name', name),
    ...member('max_uses', maxUses),
    ...member('expire_minutes', expireMinutes),
    ...(notQos ? [`"qos":${notQos}`] : qos.length > 0 ? [`"qos":{${qos}}`] : []),
  ];
  const earlier = repeated ? members.map((text) => text.replace(/:.*/s, ':-7')) : [];
  return `{${[...noise, ...earlier, ...members].join(',')}}`;
}

const anyValue = fc.oneof(
  { weight: 3, arbitrary: integerField.map(({ json }) => json) },
  { weight: 2, arbitrary: nameField.map(({ json }) => json) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 2 }) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 400 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  },
);
const members = (keys: string[], value: Arbitrary<string>): Arbitrary<string[]> =>
  fc
    .array(fc.tuple(fc.constantFrom(...keys), value), { maxLength: 6 })
    .map((pairs) => pairs.map(([key, json]) => `"${key}":${json}`));
const anyQos = members(['down', 'up', 'quota_mb', '__proto__'], anyValue).map((list) => `{${list}}`);
const realKeys = ['site_id', 'name', 'max_uses', 'expire_minutes', 'qos', '__proto__'];
/** Most start as a valid order. Later fields can make it invalid, because the last of several equal keys counts. */
const anyObject = fc
  .tuple(
    fc.constantFrom(['"site_id":1', '"name":"x"'], ['"site_id":1', '"name":"x"'], ['"site_id":1'], []),
    members(realKeys, anyValue),
    fc.option(
      anyQos.map((qos) => `"qos":${qos}`),
      { nil: undefined },
    ),
  )
  .map(([start, rest, qos]) => `{${[...start, ...rest, ...(qos ? [qos] : [])]}}`);

/** Random bytes, JSON of any shape, unusual values in the real fields, and orders with one byte replaced. */
export const anyBody: Arbitrary<Buffer> = fc.oneof(
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 3 }).map((text) => Buffer.from(text)) },
  { weight: 4, arbitrary: anyObject.map((text) => Buffer.from(text)) },
  {
    weight: 3,
    arbitrary: fc.tuple(fieldsOfOrder.map(toBody), fc.nat(), fc.nat(255)).map(([text, at, byte]) => {
      const bytes = Buffer.from(text);
      bytes[at % bytes.length] = byte;
      return bytes;
    }),
  },
);
