// Tests when vouchers for nights end. The properties hold on every day around the clock changes of these zones, in both
// directions: an hour in most of them, half an hour on Lord Howe Island, none in India.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkOutAfterS, isTimeOfDay, minutesUntil, readEndS } from './nights.ts';

const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'];
const DAY_MS = 24 * 60 * 60_000;
const seed = Date.now() % 2 ** 31;

const at = (moment: string) => Date.parse(moment);
const said = (seconds: number | undefined) =>
  seconds === undefined ? undefined : new Date(seconds * 1000).toISOString().replace(':00.000Z', 'Z');
const berlin = { checkOut: '11:00', timeZone: 'Europe/Berlin' };

const formats = new Map(
  ZONES.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }),
  ]),
);

function localTime(momentMs: number, timeZone: string): string {
  return formats.get(timeZone)?.format(momentMs).replace(' ', 'T') ?? '';
}

const nearChange = fc
  .tuple(
    fc.constantFrom('2026-03-08', '2026-03-29', '2026-04-05', '2026-10-04', '2026-10-25', '2026-11-01'),
    fc.integer({ min: -3 * 24 * 60, max: 3 * 24 * 60 }),
  )
  .map(([day, minutes]) => at(`${day}T00:00Z`) + minutes * 60_000);
const timeOfDay = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));

test('N nights end at check-out on the N-th calendar day after today', (t) => {
  t.diagnostic(`seed ${seed}`);
  fc.assert(
    fc.property(
      nearChange,
      fc.integer({ min: 1, max: 400 }),
      timeOfDay,
      fc.constantFrom(...ZONES),
      (nowMs, nights, checkOut, timeZone) => {
        const endMs = checkOutAfterS(nowMs, nights, { checkOut, timeZone }) * 1000;
        const today = localTime(nowMs, timeZone).slice(0, 10);
        const day = new Date(at(today) + nights * DAY_MS).toISOString().slice(0, 10);
        const wanted = `${day}T${checkOut}`;
        assertFirstMoment(endMs, wanted, timeZone);
        assert.equal(readEndS(wanted, { checkOut: '00:00', timeZone }), endMs / 1000);
        assert.equal(readEndS(day, { checkOut, timeZone }), endMs / 1000);
      },
    ),
    { seed, numRuns: 4_000 },
  );
});

function assertFirstMoment(endMs: number, wanted: string, timeZone: string): void {
  const shown = localTime(endMs, timeZone);
  assert.ok(shown >= wanted, `${shown} is before ${wanted}`);
  const before = localTime(endMs - 60_000, timeZone);
  assert.ok(before < wanted, `${before} already is ${wanted}`);
  // Clocks are set back by at most an hour: no earlier moment may show the wanted time.
  for (let ms = endMs - 2 * 60 * 60_000; ms < endMs; ms += 60_000 * 30)
    assert.notEqual(localTime(ms, timeZone), wanted);
  // A time that is not the wanted one is right only if clocks skip the wanted one.
  if (shown !== wanted) assert.ok(isSkipped(wanted, timeZone), `${wanted} exists in ${timeZone}`);
}

function isSkipped(wanted: string, timeZone: string): boolean {
  const aroundMs = at(`${wanted}Z`);
  for (let ms = aroundMs - DAY_MS; ms <= aroundMs + DAY_MS; ms += 15 * 60_000)
    if (localTime(ms + (aroundMs % (15 * 60_000)), timeZone) === wanted) return false;
  return true;
}

test('nights over the clock changes in Berlin', () => {
  const end = (now: string, nights: number, checkOut = '11:00') =>
    said(checkOutAfterS(at(now), nights, { ...berlin, checkOut }));
  assert.equal(end('2026-03-28T18:00Z', 1), '2026-03-29T09:00Z');
  assert.equal(end('2026-10-24T18:00Z', 1), '2026-10-25T10:00Z');
  assert.equal(end('2026-03-28T18:00Z', 1, '02:30'), '2026-03-29T01:00Z');
  assert.equal(end('2026-10-24T18:00Z', 1, '02:30'), '2026-10-25T00:30Z');
  // Half past midnight in Berlin is already the new day.
  assert.equal(end('2026-06-14T22:30Z', 1), '2026-06-16T09:00Z');
  assert.equal(end('2026-06-14T21:30Z', 1), '2026-06-15T09:00Z');
});

test('reads a date, a local time and a time of RFC 3339', () => {
  const cases: [string, string | undefined][] = [
    ['2026-11-20', '2026-11-20T10:00Z'],
    ['2026-11-20T09:15', '2026-11-20T08:15Z'],
    ['2026-11-20 09:15', '2026-11-20T08:15Z'],
    ['2026-11-20T09:15:00Z', '2026-11-20T09:15Z'],
    ['2026-11-20t09:15:00.5-05:30', '2026-11-20T14:45Z'],
    ['2026-11-20T09:15+01:00', '2026-11-20T08:15Z'],
    ['2026-02-29', undefined],
    ['2026-11-31T09:15:00Z', undefined],
    ['2026-11-20T24:00', undefined],
    ['2026-11-20T09:60Z', undefined],
    ['2026-11-20T09:15:61Z', undefined],
    ['2026-11-20T09:15:00', undefined],
    ['2026-11-20T09:15+25:00', undefined],
    ['20.11.2026', undefined],
    ['tomorrow', undefined],
    ['', undefined],
  ];
  for (const [text, moment] of cases) assert.equal(said(readEndS(text, berlin)), moment, text);
});

test('a date that Samoa skipped ends when its clocks went on', () => {
  assert.equal(
    said(readEndS('2011-12-30', { checkOut: '11:00', timeZone: 'Pacific/Apia' })),
    '2011-12-30T10:00Z',
  );
});

test('minutes are rounded up, and 0 or less after the end', () => {
  const nowMs = at('2026-11-18T10:00:01Z');
  assert.equal(minutesUntil(at('2026-11-18T10:02Z') / 1000, nowMs), 2);
  assert.equal(minutesUntil(at('2026-11-18T10:01:01Z') / 1000, nowMs), 1);
  assert.equal(Math.abs(minutesUntil(at('2026-11-18T10:00:01Z') / 1000, nowMs)), 0);
  assert.ok(minutesUntil(at('2026-11-18T09:00Z') / 1000, nowMs) < 0);
});

test('a time of day has two digits each', () => {
  for (const text of ['00:00', '11:00', '23:59']) assert.ok(isTimeOfDay(text), text);
  for (const text of ['9:00', '24:00', '11:60', '11', '11:00:00', '']) assert.ok(!isTimeOfDay(text), text);
});
