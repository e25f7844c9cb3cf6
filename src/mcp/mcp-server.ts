// The tools of `gastpass mcp`: a program that speaks the Model Context Protocol lists, creates and revokes vouchers with
// them. They call the API with the rights of one API key and do nothing else.

import { type CallToolResult, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { type GastpassClient, GastpassError, type VoucherOrder } from '../../packages/client/src/index.ts';

const SITE_ID = { type: 'integer', minimum: 1, description: 'The `id` of a site, as list_sites tells it' };

const NO_INPUT = fromJsonSchema<object>({ type: 'object', properties: {}, additionalProperties: false });

/** An input that has these properties, and no others. If `required` is not given, all properties are required. */
function inputOf<Input>(properties: Record<string, object>, required = Object.keys(properties)) {
  return fromJsonSchema<Input>({ type: 'object', properties, required, additionalProperties: false });
}

const OF_SITE = inputOf<{ site_id: number }>({ site_id: SITE_ID });

const ORDER = inputOf<VoucherOrder>(
  {
    site_id: SITE_ID,
    name: {
      type: 'string',
      minLength: 1,
      maxLength: 244,
      description: 'What the voucher is for, such as a room or an event; staff see it',
    },
    max_uses: { type: 'integer', minimum: 1, description: 'How many devices can use it; 1 by default' },
    expire_minutes: {
      type: 'integer',
      minimum: 1,
      description: 'How long it is valid from its first use on; 480 by default',
    },
    qos: {
      type: 'object',
      description: 'Limits; 0 or absent means unlimited',
      properties: {
        down: { type: 'integer', minimum: 0, description: 'Download in kbit/s' },
        up: { type: 'integer', minimum: 0, description: 'Upload in kbit/s' },
        quota_mb: { type: 'integer', minimum: 0, description: 'Data volume in MB' },
      },
      additionalProperties: false,
    },
  },
  ['site_id', 'name'],
);

const REVOCATION = inputOf<{ site_id: number; code: string }>({
  site_id: SITE_ID,
  code: { type: 'string', minLength: 1, description: 'The code of the voucher, with or without the dash' },
});

export function makeMcpServer(client: GastpassClient, version: string): McpServer {
  const server = new McpServer({ name: 'gastpass', title: 'Gastpass', version });

  server.registerTool(
    'list_sites',
    {
      title: 'List sites',
      description: 'Lists the places with guest Wi-Fi for which vouchers can be created.',
      inputSchema: NO_INPUT,
      annotations: { readOnlyHint: true },
    },
    (_, { mcpReq: { signal } }) => toResult(async () => ({ sites: await client.listSites({ signal }) })),
  );

  server.registerTool(
    'list_vouchers',
    {
      title: 'List vouchers',
      description:
        'Lists the newest 200 guest Wi-Fi vouchers of a site with their status: valid, used (all uses are taken) or expired (over or revoked).',
      inputSchema: OF_SITE,
      annotations: { readOnlyHint: true },
    },
    ({ site_id }, { mcpReq: { signal } }) =>
      toResult(async () => ({ vouchers: await client.listVouchers(site_id, { signal }) })),
  );

  server.registerTool(
    'create_voucher',
    {
      title: 'Create a voucher',
      description:
        'Creates one guest Wi-Fi voucher, which is valid at once, and returns its code. Every call creates another voucher.',
      inputSchema: ORDER,
      annotations: { destructiveHint: false, idempotentHint: false },
    },
    (order, { mcpReq: { signal } }) =>
      toResult(async () => {
        // Each call has an Idempotency-Key of its own, so the two fields about it tell the caller nothing.
        const { replayed: _, freed: __, ...voucher } = await client.createVoucher(order, { signal });
        return voucher;
      }, describeFailedCreation),
  );

  server.registerTool(
    'revoke_voucher',
    {
      title: 'Revoke a voucher',
      description: 'Revokes a guest Wi-Fi voucher for good. Nobody can log in with it any more.',
      inputSchema: REVOCATION,
      annotations: { destructiveHint: true, idempotentHint: true },
    },
    ({ site_id, code }, { mcpReq: { signal } }) =>
      toResult(async () => {
        await client.revokeVoucher(site_id, code, { signal });
        return { success: true };
      }),
  );

  return server;
}

/** A refusal of the API is a result that the caller can read; anything else is a fault of this program. */
async function toResult(
  call: () => Promise<Record<string, unknown>>,
  describe = describeFailure,
): Promise<CallToolResult> {
  try {
    const value = await call();
    return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value };
  } catch (error) {
    if (!(error instanceof GastpassError)) throw error;
    return { isError: true, content: [{ type: 'text', text: describe(error) }] };
  }
}

function describeFailure({ code, message, hint }: GastpassError): string {
  return `${code}: ${message}${hint === undefined ? '' : ` (${hint})`}`;
}

/** The next call has another Idempotency-Key and would create a second voucher. */
function describeFailedCreation(error: GastpassError): string {
  const isCertain = error.retry === 'no' || error.retry === 'yes';
  const advice = isCertain
    ? ''
    : '\nA voucher may exist; look at list_vouchers before creating again. If it exists, it is usually listed within two minutes.';
  return describeFailure(error) + advice;
}
