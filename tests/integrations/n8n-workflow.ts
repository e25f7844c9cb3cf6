// Runs the workflow of integrations/ without n8n: follows its connections and does what each node says. Only what the
// workflow uses is supported; expressions and code are JavaScript, as in n8n.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

interface HttpParameters {
  method: string;
  url: string;
  jsonBody?: string;
  headerParameters?: { parameters: { name: string; value: string }[] };
  options: { response?: unknown };
}

interface Node {
  id: string;
  name: string;
  type: string;
  parameters: HttpParameters & {
    path: string;
    conditions: { conditions: [{ leftValue: string }] };
    responseBody: string;
    jsCode: string;
  };
}

export interface Workflow {
  nodes: Node[];
  connections: Record<string, { main: { node: string }[][] }>;
}

type Item = Record<string, unknown>;

export interface Sent {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
}

export type Send = (
  request: Sent,
) => Promise<{ status: number; headers: Record<string, string>; json: Item }>;

export const workflow: Workflow = JSON.parse(
  readFileSync(new URL('../../integrations/n8n-workflow.json', import.meta.url), 'utf8'),
);

/** Returns what the caller of the webhook gets, and how often the workflow waited. */
export async function callWebhook(path: string, body: Item, send: Send) {
  const start = workflow.nodes.find(
    ({ type, parameters }) => isA(type, 'webhook') && parameters.path === path,
  );
  assert.ok(start, path);
  const runs = new Map<string, number>();
  let waited = 0;
  let items: Item[] = [{ body }];

  for (let node: Node | undefined = start; node; ) {
    const { name, type, parameters }: Node = node;
    const runIndex = runs.get(name) ?? 0;
    runs.set(name, runIndex + 1);
    if (isA(type, 'respondToWebhook'))
      return { response: evaluate(parameters.responseBody, items[0]), waited };
    if (isA(type, 'code')) items = runCode(parameters.jsCode, items);
    if (isA(type, 'httpRequest')) items = await Promise.all(items.map((item) => request(parameters, item)));
    if (isA(type, 'wait')) waited++;
    const isFalse =
      isA(type, 'if') && !evaluate(parameters.conditions.conditions[0].leftValue, items[0], runIndex);
    node = nextOf(name, isFalse ? 1 : 0);
  }
  return { response: items, waited };

  function evaluate(text: string, item: Item = {}, runIndex = 0): unknown {
    if (!text.startsWith('=')) return text;
    const run = (source: string) =>
      new Function('$json', '$', '$runIndex', `return (${source});`)(item, firstOf, runIndex);
    const [, whole] = /^=\{\{(.*)\}\}$/s.exec(text) ?? [];
    return whole
      ? run(whole)
      : text.slice(1).replaceAll(/\{\{(.*?)\}\}/g, (_, source: string) => run(source));
  }

  /** The only other node that expressions name is the webhook. */
  function firstOf(name: string) {
    assert.equal(name, start?.name);
    return { first: () => ({ json: { body } }) };
  }

  async function request(parameters: HttpParameters, item: Item): Promise<Item> {
    const { method, url, jsonBody, headerParameters, options } = parameters;
    const headers = (headerParameters?.parameters ?? []).map(({ name, value }) => [
      name,
      String(evaluate(value, item)),
    ]);
    const reply = await send({
      method,
      url: String(evaluate(url, item)),
      headers: Object.fromEntries(headers),
      ...(jsonBody && { body: JSON.stringify(evaluate(jsonBody, item)) }),
    });
    if (options.response) return { statusCode: reply.status, headers: reply.headers, body: reply.json };
    assert.equal(reply.status, 200);
    return reply.json;
  }
}

function isA(type: string, name: string): boolean {
  return type === `n8n-nodes-base.${name}`;
}

function nextOf(name: string, output: number): Node | undefined {
  const [next] = workflow.connections[name]?.main[output] ?? [];
  return workflow.nodes.find((node) => node.name === next?.node);
}

function runCode(code: string, items: Item[]): Item[] {
  const input = { first: () => ({ json: items[0] }) };
  const made: { json: Item }[] = new Function('$input', code)(input);
  return made.map(({ json }) => json);
}
