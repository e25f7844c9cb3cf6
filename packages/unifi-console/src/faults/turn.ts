// The interface between the server and a fault. For every request that meets a fault, the server makes a `Turn`: the
// fault decides whether and when to carry out the request, and which bytes to send.

import type { ConsoleState } from '../console-state.ts';
import type { ConsoleResponse, Route, SimulatedRequest } from '../http.ts';

export const FAULT_BODIES = ['json', 'html', 'text', 'empty'] as const;
export const FAULT_ENDINGS = ['cut', 'hang', 'status'] as const;

/** The settings of a fault; each kind reads only the settings it needs. */
export interface FaultSettings {
  status?: number;
  body?: (typeof FAULT_BODIES)[number];
  /** A message, an error code or the text of a body, depending on the kind of fault. */
  text?: string;
  contentType?: string;
  location?: string;
  ms?: number;
  bytes?: number;
  retryAfterS?: number;
  /** Whether the request is carried out although its response is faulty. */
  written?: boolean;
  /** What the client gets if its voucher is created late: a cut connection, no response, or an error status. */
  ending?: (typeof FAULT_ENDINGS)[number];
}

export interface Turn {
  request: SimulatedRequest;
  route: Route;
  state: ConsoleState;
  connection: Connection;
  /** Carries out the request. */
  run(): ConsoleResponse;
  /** Returns the response as if the request had been carried out, but creates and deletes no vouchers. */
  rehearse(): ConsoleResponse;
  /** Waits in real time, independent of the controller's clock. */
  wait(ms: number): Promise<void>;
}

/** A response whose body may also be bytes that are not text. */
export type Sendable = Omit<ConsoleResponse, 'body'> & { body: string | Buffer };

/** The connection on which the response is sent. */
export interface Connection {
  send(response: Sendable): void;
  /**
   * Sends the status and headers, but no body yet. The Content-Length is that of the full body; for an empty body, the
   * response is chunked.
   */
  begin(response: ConsoleResponse): void;
  /** Resolves when the bytes have been passed to the network, or the connection is closed. */
  write(bytes: string | Buffer): Promise<void>;
  end(): void;
  isOpen(): boolean;
  /** Resolves when the complete response has been passed to the network, or the connection is closed. */
  sent(): Promise<void>;
  /** Resets the connection. */
  cut(): void;
  /** Sends bytes that are not HTTP, then closes the connection. */
  sendRaw(bytes: Buffer): void;
}

export interface FaultEntry {
  /** A one-line description for users of the simulator. */
  does: string;
  play(turn: Turn, settings: FaultSettings): Promise<void>;
}

export function isWritten({ written }: FaultSettings, otherwise: boolean): boolean {
  return written ?? otherwise;
}
