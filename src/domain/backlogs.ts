// Everything that waits for a background job or for another system.

export interface Backlog {
  count: number;
  /**
   * How long the oldest entry has waited; 0 if nothing waits. Deliveries to webhooks that are switched off do not
   * count, because they wait on purpose.
   */
  oldestMs: number;
}

export type Backlogs = Record<'outbox' | 'intents' | 'deliveries' | 'revocations', Backlog>;
