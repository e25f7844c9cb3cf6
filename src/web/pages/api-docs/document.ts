// Reads the OpenAPI documents for the API documentation: their operations, with references resolved and nested fields
// flattened.

import { openapiDocument } from '../../../http/openapi-document.ts';
import { openapiExtraDocument } from '../../../http/openapi-extra-document.ts';
import { OPENAPI_IN_PAGE_WORDS } from '../../../i18n/de/staff/api-docs.ts';

export interface Schema {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  description?: string;
  example?: unknown;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  nullable?: boolean;
}

interface Content {
  content?: Record<string, { schema: Schema }>;
}

interface DescribedOperation {
  summary: string;
  description: string;
  parameters?: { name: string; in: 'query'; required?: boolean; schema: Schema }[];
  requestBody?: Content;
  responses: Record<string, Content & { description: string }>;
}

interface ApiDocument {
  paths: Record<string, Record<string, DescribedOperation>>;
  components: { schemas: Record<string, Schema> };
}

export interface Field {
  name: string;
  where: 'query' | 'body';
  isRequired: boolean;
  schema: Schema;
}

export interface Operation {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  sends: Field[];
  responses: { status: string; description: string }[];
  /** Fields and example of the success response. */
  gets: { fields: Field[]; example: unknown };
}

export function readOperations(url: string): Operation[] {
  return [openapiDocument(url), openapiExtraDocument(url)].flatMap((text) =>
    operationsOf(JSON.parse(text, inPageWords)),
  );
}

function inPageWords(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? (OPENAPI_IN_PAGE_WORDS.get(value) ?? value) : value;
}

function operationsOf(document: ApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const { summary, description, parameters = [], requestBody, responses } = described;
      const good = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
      const name = method.toUpperCase();
      return {
        id: `${name}-${path}`.replace(/[^\w-]/g, ''),
        method: name,
        path,
        summary,
        description,
        sends: [
          ...parameters.map(({ name, in: where, required = false, schema }) => ({
            name,
            where,
            isRequired: required,
            schema,
          })),
          ...fieldsOf(document, schemaOf(requestBody)),
        ],
        responses: Object.entries(responses).map(([status, response]) => ({
          status,
          description: response.description,
        })),
        gets: {
          fields: fieldsOf(document, schemaOf(good)),
          example: exampleOf(document, schemaOf(good)),
        },
      };
    }),
  );
}

function schemaOf(content: Content | undefined): Schema {
  return content?.content?.['application/json']?.schema ?? {};
}

function follow({ components }: ApiDocument, schema: Schema): Schema {
  return (schema.$ref && components.schemas[schema.$ref.split('/').at(-1) ?? '']) || schema;
}

/** Flattens nested fields into names such as `qos.down` and `vouchers[].status`. */
function fieldsOf(document: ApiDocument, wrapped: Schema, prefix = ''): Field[] {
  const { properties = {}, required = [] } = follow(document, wrapped);
  return Object.entries(properties).flatMap(([key, schema]) => {
    const name = prefix + key;
    const field: Field = { name, where: 'body', isRequired: required.includes(key), schema };
    const below = schema.items
      ? fieldsOf(document, schema.items, `${name}[].`)
      : fieldsOf(document, schema, `${name}.`);
    return [field, ...below];
  });
}

function exampleOf(document: ApiDocument, wrapped: Schema): unknown {
  const { properties, items, example } = follow(document, wrapped);
  if (items) return [exampleOf(document, items)];
  if (!properties) return example;
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, exampleOf(document, schema)]),
  );
}
