// Printers that poll a service, and what they send.

import assert from 'node:assert/strict';
import { makePrintingArea } from '../../../src/features/printers/polling/area.ts';
import { type PollingKind, type Printer, pollingPath } from '../../../src/features/printers/printer.ts';
import { problemResponse } from '../../../src/kernel/contract/problem-response.ts';
import { asSiteId, type MessageId } from '../../../src/kernel/ids.ts';
import { drain, listen } from '../../../src/platform/http/listen.ts';
import { makeServer } from '../../../src/platform/http/server.ts';
import { makePathToken } from '../../../src/platform/secrets/token.ts';
import type { Clock } from '../../../src/platform/time/clock.ts';
import { TESTER } from '../../support/actors.ts';
import { addPrinter } from '../../support/printers.ts';
import type { TestService } from '../../support/test-service.ts';
import { unobserved } from '../../support/unobserved.ts';

type Ground = Pick<TestService, 'beside'> & { clock: Clock };

export const SITE = asSiteId(1);
export const READY = '200%20OK';

export interface PollingPrinter {
  printer: Printer;
  path: string;
}

export const auditOf = ({ clock }: Pick<Ground, 'clock'>) => ({ actor: TESTER, atMs: clock.nowMs() });

export async function addPollingPrinter({ beside }: Ground, kind: PollingKind): Promise<PollingPrinter> {
  const token = makePathToken();
  const id = await addPrinter(beside, { siteId: SITE, name: `Theke ${kind}`, kind, paper: 58 }, token);
  const printer = (await beside.printers.find(id)) ?? assert.fail('the printer was not added');
  return { printer, path: pollingPath(kind, token.token) };
}

export const addTestPage = (service: Ground, { printer }: PollingPrinter) =>
  service.beside.printJobs.addTest(printer, auditOf(service));

export async function stateOf(service: Ground, id: MessageId): Promise<string | undefined> {
  return (await service.beside.printJobs.search({ limit: 1, id }))[0]?.state;
}

export interface PollingServer extends AsyncDisposable {
  url: string;
}

/** Serves only the paths of printers, with these handlers. */
export async function servePrinters(
  handlers: Awaited<ReturnType<Parameters<typeof makePrintingArea>[0]>>,
): Promise<PollingServer> {
  const server = makeServer({
    presentProblem: problemResponse,
    handlers: {},
    areas: [makePrintingArea(async () => handlers)],
    servePage: async () => {},
    trustedProxies: [],
    observeRequest: () => {},
    isDraining: () => false,
    isRefusing: () => false,
    ...unobserved,
  });
  const url = await listen(server, { host: '127.0.0.1', port: 0 });
  return { url, [Symbol.asyncDispose]: () => drain(server) };
}

/** The requests of a Star printer. `url`: the service or another instance of it. */
export function makeStar(url: string, { path }: PollingPrinter) {
  const at = (query = '') => `${url}${path}${query}`;
  return {
    at,
    poll: (facts: Record<string, unknown> = {}) =>
      fetch(at(), {
        method: 'POST',
        body: JSON.stringify({
          status: '23 6 0 0 0 0 0 0 0 ',
          printerMAC: '00:11:62:aa:bb:cc',
          statusCode: READY,
          clientAction: null,
          ...facts,
        }),
      }),
    /** The token of the offered job. */
    async offered(facts?: Record<string, unknown>): Promise<string | undefined> {
      const { jobReady, jobToken } = (await (await this.poll(facts)).json()) as {
        jobReady: boolean;
        jobToken?: string;
      };
      assert.equal(jobReady, jobToken !== undefined);
      return jobToken;
    },
    get: (token?: string) =>
      fetch(at(`?mac=00:11:62:aa:bb:cc&type=image/png${token === undefined ? '' : `&token=${token}`}`)),
    confirm: (code: string, token?: string) =>
      fetch(
        at(
          `?mac=00:11:62:aa:bb:cc&code=${encodeURIComponent(code)}${token === undefined ? '' : `&token=${token}`}`,
        ),
        { method: 'DELETE' },
      ),
  };
}

/** The requests of an Epson printer. */
export function makeEpson(url: string, { path }: PollingPrinter) {
  const send = (fields: Record<string, string>) =>
    fetch(url + path, { method: 'POST', body: new URLSearchParams({ ID: 'theke', ...fields }) });
  return {
    send,
    /** The XML of the job; empty if there is none. */
    async poll(): Promise<string> {
      const response = await send({ ConnectionType: 'GetRequest' });
      assert.deepEqual(
        [response.status, response.headers.get('content-type')],
        [200, 'text/xml; charset=utf-8'],
      );
      return response.text();
    },
    result: (id: MessageId | string, attributes: string) =>
      send({
        ConnectionType: 'SetResponse',
        ResponseFile: `<?xml version="1.0" encoding="utf-8"?>
<PrintResponseInfo Version="2.00"><ePOSPrint><Parameter><devid>local_printer</devid><printjobid>${id}</printjobid></Parameter>
<PrintResponse><response xmlns="http://www.epson-pos.com/schemas/2011/03/epos-print" ${attributes}/></PrintResponse></ePOSPrint></PrintResponseInfo>`,
      }),
  };
}
