// The tools of `gastpass mcp`: a program that speaks the Model Context Protocol lists, creates and revokes vouchers
// with them. They call the API with the rights of one API key and do nothing else.

import { type CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { type GastpassClient, GastpassError } from '../../../packages/client/src/index.ts';
import { inputs, outputs, type WhichVoucher } from './schemas.ts';

interface Options {
  version: string;
  /** False if the API key may only read: the tools that change something are not offered. */
  canWrite: boolean;
}

export function makeMcpServer(client: GastpassClient, { version, canWrite }: Options): McpServer {
  const server = new McpServer({ name: 'gastpass', title: 'Gastpass', version });
  addReadingTools(server, client);
  if (canWrite) addWritingTools(server, client);
  return server;
}

function addReadingTools(server: McpServer, client: GastpassClient): void {
  const annotations = { readOnlyHint: true };

  server.registerTool(
    'list_sites',
    {
      title: 'List sites',
      description:
        'Lists the places with guest Wi-Fi for which vouchers can be created, with their profiles, printers and limits.',
      inputSchema: inputs.nothing,
      outputSchema: outputs.sites,
      annotations,
    },
    (_, { mcpReq: { signal } }) => toResult(async () => ({ sites: await client.listSites({ signal }) })),
  );

  server.registerTool(
    'list_vouchers',
    {
      title: 'List vouchers',
      description:
        'Lists guest Wi-Fi vouchers, newest first. If `next_cursor` is not null, there are more: call again with it as `cursor`.',
      inputSchema: inputs.filter,
      outputSchema: outputs.page,
      annotations,
    },
    (filter, { mcpReq: { signal } }) =>
      toResult(async () => ({ ...(await client.listVouchers(filter, { signal })) })),
  );

  server.registerTool(
    'get_voucher',
    {
      title: 'Get a voucher',
      description:
        'Shows one guest Wi-Fi voucher with its history. Name it by its `id`, or by its `site` and `code`.',
      inputSchema: inputs.whichVoucher,
      outputSchema: outputs.voucherWithHistory,
      annotations,
    },
    (which, { mcpReq: { signal } }) =>
      withVoucher(which, (voucher) =>
        typeof voucher === 'number'
          ? client.getVoucher(voucher, { signal })
          : client.getVoucherByCode(voucher.site, voucher.code, { signal }),
      ),
  );
}

function addWritingTools(server: McpServer, client: GastpassClient): void {
  server.registerTool(
    'create_voucher',
    {
      title: 'Create a voucher',
      description:
        'Creates one guest Wi-Fi voucher, which is valid at once, and returns its code. Every call creates another voucher.',
      inputSchema: inputs.order,
      outputSchema: outputs.voucher,
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
      description:
        'Revokes a guest Wi-Fi voucher for good. Nobody can log in with it any more. Name it by its `id`, or by its `site` and `code`.',
      inputSchema: inputs.whichVoucher,
      outputSchema: outputs.voucherWithHistory,
      annotations: { destructiveHint: true, idempotentHint: true },
    },
    (which, { mcpReq: { signal } }) =>
      withVoucher(which, (voucher) => client.revokeVoucher(voucher, { signal })),
  );
}

async function withVoucher(
  { id, site, code }: WhichVoucher,
  call: (voucher: number | { site: number; code: string }) => Promise<object>,
): Promise<CallToolResult> {
  const isByCode = site !== undefined && code !== undefined;
  const voucher = id ?? (isByCode ? { site, code } : undefined);
  // If both are given, they may mean two vouchers.
  if (voucher === undefined || (id !== undefined && code !== undefined))
    return toError('Give either `id`, or `site` and `code`.');
  return toResult(async () => ({ ...(await call(voucher)) }));
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
    return toError(describe(error));
  }
}

function toError(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] };
}

function describeFailure({ code, message }: GastpassError): string {
  return `${code}: ${message}`;
}

/** The next call has another Idempotency-Key and would create a second voucher. */
function describeFailedCreation(error: GastpassError): string {
  const isCertain = error.retry === 'no' || error.retry === 'yes';
  const advice = isCertain
    ? ''
    : '\nA voucher may exist; look at list_vouchers before creating again. If it exists, it is usually listed within two minutes.';
  return describeFailure(error) + advice;
}
