// Faults in the vouchers of a response: no voucher, no code, the code as a number, an incomplete list; and vouchers
// that are created or become visible later than the request.

import { type ConsoleResponse, type Fields, isFields } from '../http.ts';
import { responseKinds } from './response-kinds.ts';
import { type FaultEntry, type FaultSettings, isWritten } from './turn.ts';

const LATE_MS = 5_000;
const APPEARS_AFTER_MS = 1_000;

function changed(
  does: string,
  isRun: boolean,
  change: (fields: Fields, settings: FaultSettings) => Fields,
): FaultEntry {
  return {
    does,
    async play(turn, settings) {
      const response = isWritten(settings, isRun) ? turn.run() : turn.rehearse();
      turn.connection.send(rewrite(response, (fields) => change(fields, settings)));
    },
  };
}

function rewrite(response: ConsoleResponse, change: (fields: Fields) => Fields): ConsoleResponse {
  const value: unknown = JSON.parse(response.body);
  return isFields(value) ? { ...response, body: JSON.stringify(change(value)) } : response;
}

/** Applies `change` to the response object itself and to every object in its lists. */
function everyObject(fields: Fields, change: (fields: Fields) => Fields): Fields {
  const inner = Object.entries(fields).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map((item) => (isFields(item) ? change(item) : item)) : value,
  ]);
  return change(Object.fromEntries(inner));
}

function withoutLists(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, Array.isArray(value) ? [] : value]),
  );
}

export const voucherKinds = {
  'without-voucher': changed(
    'answers well, with an empty list; not carried out unless told',
    false,
    (fields) => {
      const counts = 'totalCount' in fields ? { count: 0, totalCount: 0 } : {};
      return { ...withoutLists(fields), ...counts };
    },
  ),
  'list-ends-early': changed(
    'fewer than it says there are: an empty page, or half the list',
    true,
    (fields) => {
      if ('totalCount' in fields) return { ...withoutLists(fields), count: 0 };
      const data = Array.isArray(fields.data) ? fields.data : [];
      return { ...fields, data: data.slice(0, Math.floor(data.length / 2)) };
    },
  ),
  'without-code': changed('vouchers without their code', true, (fields) =>
    everyObject(fields, ({ code: _, ...rest }) => rest),
  ),
  'code-as-number': changed('the code as a number, leading zeros lost', true, (fields) =>
    everyObject(fields, (item) =>
      typeof item.code === 'string' ? { ...item, code: Number(item.code) } : item,
    ),
  ),
  'slow-to-appear': {
    does: 'answers at once, the voucher can be seen only later; ms on the clock (1000)',
    async play({ state, run, connection }, { ms = APPEARS_AFTER_MS }) {
      connection.send(state.vouchers.during({ kind: 'later', ms, restamp: false }, run));
    },
  },
  'late-creation': {
    does: 'no good answer now (ending: cut, hang, status), the voucher is made later; ms on the clock (5000)',
    async play(turn, settings) {
      const { ms = LATE_MS, ending = 'cut' } = settings;
      turn.state.vouchers.during({ kind: 'later', ms, restamp: true }, turn.run);
      if (ending === 'cut') turn.connection.cut();
      if (ending === 'status')
        await responseKinds.status.play(turn, { status: 504, ...settings, written: false });
    },
  },
} satisfies Record<string, FaultEntry>;
