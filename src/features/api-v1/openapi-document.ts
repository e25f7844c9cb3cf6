// The OpenAPI 3.1 description of the second API. Loaded only when a client asks for it.

import { examples, orders } from './openapi-examples.ts';
import { OPERATIONS, type Operation } from './openapi-operations.ts';
import { COMMON_HEADERS, headers, parametersOf } from './openapi-parameters.ts';
import { schemas } from './openapi-schemas.ts';
import { detailsOf, kindOf, type V1Problem } from './problem-details.ts';
import { PROBLEM_KINDS, type ProblemKind } from './problem-kinds.ts';

/** Rises with every change of the API. docs/api-v1.md lists the changes. */
const API_VERSION = '1.0.0';

const DESCRIPTION =
  'Creates, lists and revokes vouchers for guest Wi-Fi. Times are RFC 3339 in UTC. Clients must ignore fields that they do not know.';

const TAGS = {
  Vouchers: 'Create, find and revoke vouchers.',
  Batches: 'Several vouchers that were ordered together.',
  Sites: 'Places with guest Wi-Fi.',
  Key: 'The API key itself.',
};

const headersOf = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
const schemaOf = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** `serverUrl`: the URL that all paths continue. */
export function openapiDocument(serverUrl: string): string {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of OPERATIONS)
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describe(operation) };
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Gastpass API v1',
      version: API_VERSION,
      description: DESCRIPTION,
      contact: { name: 'The operator of this service' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    security: [{ bearerAuth: [] }, { apiKeyAuth: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        bearerAuth: { type: 'http', scheme: 'bearer' },
        apiKeyAuth: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
      headers,
      schemas,
    },
  };
  return JSON.stringify(document);
}

function describe(operation: Operation): object {
  const { id, tag, summary, description, takesOrder } = operation;
  const parameters = parametersOf(operation);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    ...(parameters.length > 0 && { parameters }),
    ...(takesOrder && { requestBody: { required: true, content: orderContent() } }),
    responses: { ...successes(operation), ...refusals(operation.problems) },
  };
}

function orderContent(): object {
  const named = Object.entries(orders).map(([name, value]) => [name, { value }]);
  return { 'application/json': { schema: schemaOf('NewVouchers'), examples: Object.fromEntries(named) } };
}

function successes({ success }: Operation): object {
  const described: Record<string, object> = {};
  for (const { status, description, schema, example, headers: names = [], hasEtag } of success) {
    described[status] = {
      description,
      headers: headersOf([...COMMON_HEADERS, ...names, ...(hasEtag ? ['ETag'] : [])]),
      content: { 'application/json': { schema: schemaOf(schema), example: examples[example] } },
    };
    if (hasEtag)
      described[304] = {
        description: 'Nothing has changed.',
        headers: headersOf([...COMMON_HEADERS, 'ETag']),
      };
  }
  return described;
}

/** The examples are made by the code that makes the real responses, so that they cannot differ. */
function refusals(problems: V1Problem[]): object {
  // The example of the operation takes precedence over the common one of the same kind.
  const kinds = new Map(problems.map((problem) => [kindOf(problem), problem]));
  const byStatus = Map.groupBy(kinds.values(), (problem) => PROBLEM_KINDS[kindOf(problem)][0]);
  return Object.fromEntries([...byStatus].map(([status, same]) => [status, refusal(same)]));
}

function refusal(problems: V1Problem[]): object {
  const named = problems.map((problem): [ProblemKind, object] => [
    kindOf(problem),
    { value: detailsOf(problem, '5f3a1c9e0b7d-2k') },
  ]);
  return {
    description: `${named.map(([kind]) => `${PROBLEM_KINDS[kind][1]} (\`${kind}\`)`).join('; ')}.`,
    headers: headersOf([...COMMON_HEADERS, 'Retry-After', 'Gastpass-Retry', 'Gastpass-Cause']),
    content: {
      'application/problem+json': { schema: schemaOf('Problem'), examples: Object.fromEntries(named) },
    },
  };
}
