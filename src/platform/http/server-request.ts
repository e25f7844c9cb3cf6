// Implements HttpRequest on top of Node's IncomingMessage. It is a class, so that the methods are not created again for
// every request.

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { networkOf } from '../network/ip.ts';
import { fail } from '../values/result.ts';
import type { HttpRequest } from './handler.ts';
import type { BodyOwner, PendingBodies } from './pending-bodies.ts';
import type { Proxies } from './proxies.ts';
import { type BodyLimits, readBody } from './read-body.ts';

interface Parts {
  query: string;
  proxies: Proxies;
  bodies: PendingBodies;
}

export class ServerRequest implements HttpRequest {
  readonly id: string;
  readonly method: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  keyId?: string;
  keyPrefix?: string;
  userId?: number;
  screenId?: number;
  refusedBecause?: string;
  refusedKeyId?: string;
  route?: string;
  parameters?: readonly string[];
  isRoutine?: boolean;
  responseHeaders?: Record<string, string>;
  readonly #message: IncomingMessage;
  readonly #proxies: Proxies;
  readonly #bodies: PendingBodies;

  constructor(id: string, message: IncomingMessage, { query, proxies, bodies }: Parts) {
    this.id = id;
    this.method = message.method ?? '';
    this.query = query;
    this.headers = message.headers;
    this.#message = message;
    this.#proxies = proxies;
    this.#bodies = bodies;
  }

  isHttps(): boolean {
    return this.#proxies.isHttps(this.#message);
  }

  clientIp(): string {
    return this.#proxies.clientIp(this.#message);
  }

  headerOfProxy(name: string): string[] {
    return this.#proxies.headerOfProxy(this.#message, name);
  }

  async readBody(limits?: BodyLimits): ReturnType<HttpRequest['readBody']> {
    const body = readBody(this.#message, limits);
    if (this.#message.complete) return body;
    const refused = this.#bodies.whenRefused(this.#message, this.#owner());
    return Promise.race([body, refused.then(() => fail({ kind: 'body-too-slow' as const }))]);
  }

  /** Called after the response. Limits how long the unread rest of the body may take to arrive. */
  discardBody(): void {
    const { complete, headers } = this.#message;
    if (complete || (headers['transfer-encoding'] === undefined && !headers['content-length'])) return;
    this.#bodies.discard(this.#message, this.#owner());
  }

  #owner(): BodyOwner {
    if (this.keyId !== undefined) return { name: `key ${this.keyId}`, isKnown: true };
    if (this.userId !== undefined) return { name: `user ${this.userId}`, isKnown: true };
    if (this.screenId !== undefined) return { name: `screen ${this.screenId}`, isKnown: true };
    return { name: networkOf(this.clientIp(), 64), isKnown: false };
  }
}
