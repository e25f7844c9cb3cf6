// One request's turn, as scripted faults see it: they may carry it out, or not, or later, and say what goes
// down the line. Made by the server for every request.

import type { ConsoleResponse, Route, SimulatedRequest } from '../http.ts';
import type { SimulatedConsole } from '../simulated-console.ts';

export const FAULT_BODIES = ['json', 'html', 'text', 'empty'] as const;
export const FAULT_ENDINGS = ['cut', 'hang', 'status'] as const;

/** What a fault can be told; each kind reads the ones that concern it. */
export interface FaultSettings {
  status?: number;
  body?: (typeof FAULT_BODIES)[number];
  /** A message, an error code, or the text of a body. */
  text?: string;
  contentType?: string;
  location?: string;
  ms?: number;
  bytes?: number;
  retryAfterS?: number;
  /** Whether the request is carried out although its answer is spoilt. */
  written?: boolean;
  /** How a late creation ends for the caller. */
  ending?: (typeof FAULT_ENDINGS)[number];
}

export interface Turn {
  request: SimulatedRequest;
  route: Route;
  simulated: SimulatedConsole;
  connection: Connection;
  /** Carries the request out. */
  run(): ConsoleResponse;
  /** Answers as if it had been carried out; what it creates or deletes stays as it was. */
  rehearse(): ConsoleResponse;
  /** In real time, whatever the controller's clock says. */
  wait(ms: number): Promise<void>;
}

/** An answer, or one whose body is not even text. */
export type Sendable = Omit<ConsoleResponse, 'body'> & { body: string | Buffer };

/** The connection the answer goes down. */
export interface Connection {
  send(answer: Sendable): void;
  /** Sends the head of an answer with the full length of its body, and no body yet. */
  begin(answer: ConsoleResponse): void;
  /** Resolves when the bytes are on their way, or the caller is gone. */
  write(bytes: string | Buffer): Promise<void>;
  end(): void;
  isOpen(): boolean;
  /** Resolves when everything sent so far is on its way. */
  sent(): Promise<void>;
  /** Resets the connection. */
  cut(): void;
  /** Bytes past HTTP; the connection is closed after them. */
  sendRaw(bytes: Buffer): void;
}

export interface FaultEntry {
  /** For people, in one line. */
  does: string;
  play(turn: Turn, settings: FaultSettings): Promise<void>;
}

export function isWritten({ written }: FaultSettings, otherwise: boolean): boolean {
  return written ?? otherwise;
}
