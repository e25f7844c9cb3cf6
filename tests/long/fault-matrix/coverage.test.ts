// What the fault matrix covers: every fault that the simulated console can inject, at every call of a driver.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FAULT_KINDS } from '../../../packages/unifi-console/src/index.ts';
import { deletionCasesFor } from './deletion-cases.ts';
import { casesFor, DRIVERS, rows } from './matrix.ts';
import { PHASES } from './outcomes.ts';

const [MIN_FAULTS, MIN_CASES] = [30, 90];

test('every fault of the simulated console is in the matrix, at login, create and list', () => {
  assert.ok(FAULT_KINDS.length >= MIN_FAULTS);
  for (const phase of PHASES) {
    const covered = new Set(rows.filter((row) => row[phase]).map(({ kind }) => kind));
    assert.deepEqual([...covered].sort(), FAULT_KINDS.toSorted(), phase);
  }
});

test('each driver is tested with at least thirty faults at each of three calls, and no case is repeated', () => {
  for (const driver of DRIVERS) {
    const titles = casesFor(driver).map(({ title }) => title);
    assert.ok(titles.length >= MIN_CASES, `${titles.length} cases`);
    assert.equal(new Set(titles).size, titles.length);
  }
});

test('every fault is also tested at the deletion of a voucher, and no case is repeated', () => {
  for (const driver of DRIVERS) {
    const cases = deletionCasesFor(driver);
    const atDelete = cases.flatMap(({ faults: [fault, other] }) =>
      fault?.match === 'delete' && !other ? [fault.kind] : [],
    );
    // The official API is believed if it says in its own format that it deleted the voucher.
    const believed = driver.kind === 'unifi' ? ['without-voucher'] : [];
    assert.deepEqual([...new Set([...atDelete, ...believed])].sort(), FAULT_KINDS.toSorted());
    assert.equal(new Set(cases.map(({ title }) => title)).size, cases.length);
  }
});
