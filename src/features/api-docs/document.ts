// Reads an OpenAPI document for the API documentation: its operations, with references resolved and nested fields
// flattened. The contract is described in OpenAPI 3.0, the second API in 3.1.

export interface Schema {
  $ref?: string;
  /** Several types in OpenAPI 3.1 only. */
  type?: string | string[];
  anyOf?: Schema[];
  const?: unknown;
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
  /** In OpenAPI 3.0 only. */
  nullable?: boolean;
}

type Place = 'path' | 'query' | 'header' | 'body';

interface Media {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

interface Content {
  content?: Record<string, Media>;
}

interface DescribedOperation {
  summary: string;
  description: string;
  parameters?: { name: string; in: Place; required?: boolean; description?: string; schema: Schema }[];
  requestBody?: Content;
  responses: Record<string, Content & { description: string }>;
}

export interface ApiDocument {
  paths: Record<string, Record<string, DescribedOperation>>;
  components: { schemas: Record<string, Schema> };
}

export interface Field {
  name: string;
  where: Place;
  isRequired: boolean;
  schema: Schema;
}

export interface ApiResponse {
  status: string;
  description: string;
  /** The name of the object in the body, if the document gives it a name. */
  object: string | undefined;
  /** The kinds of problems that have this status, if the document names them. */
  kinds: string[];
}

export interface Operation {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  sends: Field[];
  responses: ApiResponse[];
  /** Fields and example of the first success response. */
  gets: { fields: Field[]; example: unknown };
}

const nameOf = ({ $ref }: Schema) => $ref?.split('/').at(-1);

export function operationsOf(document: ApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const { summary, description, parameters = [], requestBody, responses } = described;
      const good = mediaOf(Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]);
      const name = method.toUpperCase();
      return {
        id: `${name}-${path}`.replace(/[^\w-]/g, ''),
        method: name,
        path,
        summary,
        description,
        sends: [
          ...parameters.map(({ name, in: where, required = false, description, schema }) => ({
            name,
            where,
            isRequired: required,
            schema: { ...(description !== undefined && { description }), ...schema },
          })),
          ...fieldsOf(document, mediaOf(requestBody).schema),
        ],
        responses: Object.entries(responses).map(([status, response]) => ({
          status,
          description: response.description,
          object: nameOf(mediaOf(response).schema),
          kinds: Object.keys(response.content?.['application/problem+json']?.examples ?? {}),
        })),
        gets: {
          fields: fieldsOf(document, good.schema),
          example: good.example ?? exampleOf(document, good.schema),
        },
      };
    }),
  );
}

function mediaOf(content: Content | undefined): Media {
  return content?.content?.['application/json'] ?? { schema: {} };
}

function follow({ components }: ApiDocument, schema: Schema): Schema {
  return components.schemas[nameOf(schema) ?? ''] ?? schema;
}

/** Flattens nested fields into names such as `qos.down` and `vouchers[].status`. `isKnown`: described elsewhere. */
export function fieldsOf(
  document: ApiDocument,
  wrapped: Schema,
  { prefix = '', isKnown = () => false }: { prefix?: string; isKnown?: (object: string) => boolean } = {},
): Field[] {
  const { properties = {}, required = [] } = follow(document, wrapped);
  return Object.entries(properties).flatMap(([key, schema]) => {
    const name = prefix + key;
    const field: Field = { name, where: 'body', isRequired: required.includes(key), schema };
    const { items } = schema;
    const object = items ?? schema.anyOf?.find(({ properties }) => properties) ?? schema;
    if (isKnown(nameOf(object) ?? '')) return [field];
    return [field, ...fieldsOf(document, object, { prefix: items ? `${name}[].` : `${name}.`, isKnown })];
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

/** An object of the second API. Several responses have the same, so each is described only once. */
export interface ApiObject {
  name: string;
  /** This object has all fields of that one, and those in `fields`. */
  extended: string | undefined;
  fields: Field[];
}

/** The objects that responses name, and those in them. */
export function objectsOf(document: ApiDocument, operations: Operation[]): ApiObject[] {
  const { schemas } = document.components;
  const answered = new Set(operations.flatMap(({ responses }) => responses.map(({ object }) => object)));
  const isInside = (name: string) => JSON.stringify(schemas).includes(`"#/components/schemas/${name}"`);
  const names = Object.keys(schemas).filter((name) => answered.has(name) || isInside(name));
  return names.map((name) => {
    const own = schemas[name]?.properties ?? {};
    const has = (other: Schema) =>
      Object.entries(other.properties ?? {}).every(
        ([key, schema]) => JSON.stringify(own[key]) === JSON.stringify(schema),
      );
    const extended = names.find((other) => other !== name && has(schemas[other] ?? {}));
    const isNew = ({ name: field }: Field) => !(extended && field in (schemas[extended]?.properties ?? {}));
    const fields = fieldsOf(document, schemas[name] ?? {}, { isKnown: (object) => object in schemas });
    return { name, extended, fields: fields.filter(isNew) };
  });
}
