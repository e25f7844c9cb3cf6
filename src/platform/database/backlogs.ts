// Everything that waits for a background job or for another system. Deliveries to webhooks that are switched off are
// left out, because they wait on purpose.

export interface Backlog {
  count: number;
  /** How long the oldest entry has waited; 0 if nothing waits, negative if the clock was set back since. */
  oldestMs: number;
}

export type Backlogs = Record<
  'outbox' | 'intents' | 'deliveries' | 'mails' | 'revocations' | 'endedVouchers',
  Backlog
>;
