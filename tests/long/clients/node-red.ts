// Node-RED from npm, with types for the calls that the test makes, because the package has no types.

import type { Server } from 'node:http';
import { createRequire } from 'node:module';

export interface NodeRed {
  init(server: Server, settings: Record<string, unknown>): void;
  start(): Promise<void>;
  stop(): Promise<void>;
  events: { once(name: 'flows:started', listener: () => void): void };
  nodes: { getNode(id: string): { receive(): void } | null };
}

export function loadNodeRed(): NodeRed {
  return createRequire(import.meta.url)('node-red');
}
