// Prometheus metrics: what was answered and how fast, how the process is, and what is left open.

import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { makeRequestTally } from './request-tally.ts';

interface Needs {
  countOpenIntents: () => Promise<number>;
}

export function makeMetrics({ countOpenIntents }: Needs) {
  const register = new Registry();
  collectDefaultMetrics({ register });
  const requests = makeRequestTally();

  const settled = new Counter({
    name: 'gastpass_intents_settled_total',
    help: 'Open intents that were settled, by outcome',
    labelNames: ['outcome'] as const,
    registers: [register],
  });
  new Gauge({
    name: 'gastpass_intents_open',
    help: 'Vouchers asked for upstream whose outcome is not on record yet',
    registers: [register],
    async collect() {
      this.set(await countOpenIntents());
    },
  });

  return {
    observeRequest: requests.observe,
    observeSettled({ recorded, forgotten }: { recorded: number; forgotten: number }) {
      settled.inc({ outcome: 'recorded' }, recorded);
      settled.inc({ outcome: 'forgotten' }, forgotten);
    },
    async render() {
      return { contentType: register.contentType, text: (await register.metrics()) + requests.render() };
    },
  };
}
