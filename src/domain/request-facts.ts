// What is observed of an answered request, by the log and by the metrics.

export interface RequestFacts {
  method: string;
  /** The script's path, or `unknown`. */
  route: string;
  status: number;
  durationMs: number;
}
