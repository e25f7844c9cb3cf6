// The address of a printer that the service connects to: HOST or HOST:PORT.

import { MAX_PORT, toHost } from '../../platform/network/host.ts';
import { DEFAULT_PORT } from './printer.ts';

export interface PrinterAddress {
  /** A name, or an IP address without brackets. */
  host: string;
  port: number;
}

/** Undefined if the text is no address, for example because it has a scheme or a path. */
export function readPrinterAddress(text: string): PrinterAddress | undefined {
  const whole = toHost(text);
  if (whole !== undefined) return { host: whole, port: DEFAULT_PORT };
  const [, typedHost = '', digits = ''] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  // An IPv6 address with a port needs brackets.
  const host = typedHost.includes(':') && !typedHost.startsWith('[') ? undefined : toHost(typedHost);
  const port = Number(digits);
  return host === undefined || port < 1 || port > MAX_PORT ? undefined : { host, port };
}

/** The shortest text for the address. `readPrinterAddress` reads it. */
export function toAddressText({ host, port }: PrinterAddress): string {
  const shown = host.includes(':') ? `[${host}]` : host;
  return port === DEFAULT_PORT ? shown : `${shown}:${port}`;
}
