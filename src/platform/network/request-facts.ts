// The facts about a completed request that the log and the metrics record.

export interface RequestFacts {
  method: string;
  /** The path of the handler; `unknown` if no handler has the requested path. */
  route: string;
  status: number;
  durationMs: number;
}
