// Implements HttpRequest on top of Node's IncomingMessage. A class, because an instance is created for every request.

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { HttpRequest } from './handler.ts';
import type { Proxies } from './proxies.ts';
import { readBody } from './read-body.ts';

export class ServerRequest implements HttpRequest {
  readonly id: string;
  readonly method: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  keyId?: string;
  route?: string;
  responseHeaders?: Record<string, string>;
  readonly #message: IncomingMessage;
  readonly #proxies: Proxies;

  constructor(id: string, message: IncomingMessage, { query, proxies }: { query: string; proxies: Proxies }) {
    this.id = id;
    this.method = message.method ?? '';
    this.query = query;
    this.headers = message.headers;
    this.#message = message;
    this.#proxies = proxies;
  }

  isHttps(): boolean {
    return this.#proxies.isHttps(this.#message);
  }

  clientIp(): string {
    return this.#proxies.clientIp(this.#message);
  }

  readBody(maxBytes?: number): ReturnType<HttpRequest['readBody']> {
    return readBody(this.#message, maxBytes);
  }
}
