// unifi-client from npm. Its own types depend on a package that it does not export, so the calls that the tests make
// are described here.

import { createRequire } from 'node:module';

export interface Envelope {
  meta: { rc: string; msg?: string };
  data: Record<string, unknown>[];
}

interface Config {
  proxyNamespace?: string;
  urlParams?: Record<string, string>;
}

export interface UnifiClient {
  unifiOs: boolean;
  version?: string;
  login(): Promise<unknown>;
  logout(): Promise<void>;
  getSites(): Promise<{ name: string; desc: string }[]>;
  /** Raw calls, with the client's own handling of cookies and CSRF tokens. */
  getInstance(): {
    get(url: string, config?: Config): Promise<{ data: Envelope }>;
    post(url: string, body: unknown, config?: Config): Promise<{ data: Envelope }>;
  };
}

interface Options {
  url: string;
  username: string;
  password: string;
  strictSSL: boolean;
}

const { Controller }: { Controller: new (options: Options) => UnifiClient } = createRequire(import.meta.url)(
  'unifi-client',
);

export function makeUnifiClient(options: Omit<Options, 'strictSSL'>): UnifiClient {
  const { url, username, password } = options;
  return new Controller({ url, username, password, strictSSL: false });
}
