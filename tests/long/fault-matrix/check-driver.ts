// The tests of one driver in the fault matrix. Each driver has its own test file that calls this function, so that they
// can run in parallel.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { casesFor, type Driver } from './matrix.ts';
import { FORBIDDEN } from './outcomes.ts';
import { type Books, type Observed, runCases } from './run-cases.ts';

/** The guaranteed 20 seconds, and what a busy machine may add: the service itself uses up to 18.5 seconds. */
const RESPONDED_WITHIN_MS = 40_000;
const MAX_MESSAGE_LENGTH = 300;

export function checkDriver(driver: Driver): void {
  describe(`${driver.kind} on ${driver.flavour}`, () => {
    const cases = casesFor(driver);
    let run: Awaited<ReturnType<typeof runCases>>;
    before(async () => {
      run = await runCases(driver, cases);
    });
    after(() => run.stop());

    for (const { title, expected } of cases)
      test(title, () => {
        const observed = run.observed.get(title);
        assert.ok(observed, 'the case was not run');
        const { reply, tookMs, met, settled, inTheEnd } = observed;

        assert.equal(reply.status, expected.status, reply.text);
        if (expected.says) assert.match(reply.json.message, expected.says);
        assert.ok(tookMs < RESPONDED_WITHIN_MS, `it took ${Math.round(tookMs)} ms`);
        assert.ok(
          met.every((times) => times > 0),
          'a fault never occurred',
        );
        assertTellsNoSecret(observed);

        assertInBalance(settled);
        assert.equal(settled.upstream.length, expected.upstream);
        if (reply.status === 201) assert.equal(reply.json.code, settled.upstream[0]?.code);

        // A repeated request gets the same voucher, and the controller works again.
        assert.equal(observed.repeated.status, 201, observed.repeated.text);
        assert.equal(observed.further.status, 201, observed.further.text);
        assertInBalance(inTheEnd);
        const codes = [observed.repeated.json.code, observed.further.json.code];
        assert.deepEqual(
          inTheEnd.recorded.map(({ code }) => code),
          codes.sort(),
        );
      });

    test('neither the log nor a response contains a secret, and every voucher was announced once', () => {
      const log = JSON.stringify(run.service.logLines);
      for (const secret of FORBIDDEN) assert.ok(!log.includes(secret), `the log contains ${secret}`);
      const [counts] = run.service.rows(
        'select (select count(*) from vouchers) as recorded, (select count(*) from outbox) as announced',
      );
      assert.equal(counts?.announced, counts?.recorded);
    });
  });
}

/** Every voucher of the controller is recorded once, and no intent is open. */
function assertInBalance({ upstream, recorded, openIntents }: Books): void {
  assert.deepEqual(recorded, upstream);
  assert.equal(new Set(recorded.map(({ id }) => id)).size, recorded.length);
  assert.equal(openIntents, 0);
}

function assertTellsNoSecret({ reply, repeated, further }: Observed): void {
  const told = [reply, repeated, further].map(({ text }) => text).join('\n');
  for (const secret of FORBIDDEN) assert.ok(!told.includes(secret), `a response contains ${secret}`);
  const message: unknown = reply.json.message;
  if (typeof message === 'string') assert.ok(message.length <= MAX_MESSAGE_LENGTH && !message.includes('\n'));
}
