// Checks in a trace that a voucher's intent was on disk before the order was sent to the console, and its record before
// the code was sent to the client.

import type { Acknowledged } from '../ordering.ts';
import type { SystemCall } from './read-trace.ts';
import type { Trace } from './traced-service.ts';

/** The header of a frame in the log is a separate write. Only a commit's last frame names the size of the database. */
const FRAME_HEADER_BYTES = 24;
const NO_COMMIT = '\0\0\0\0';

interface Commit {
  /** The line of the trace on which the write of its last frame ended. */
  end: number;
}

/** One line for each order or code that was sent too early or is not in the trace. */
export function findTooEarly({ calls, vouchers, log, consoleAddress }: Trace): string[] {
  const writes = calls.filter(({ name, file }) => file === log && name === 'pwrite64');
  const syncs = syncsOf(calls, log);
  const sent = calls.filter(({ file }) => file.startsWith('TCP'));

  function commitOf(words: string): Commit | undefined {
    const first = writes.findIndex(({ bytes }) => bytes.includes(words));
    if (first < 0) return undefined;
    // The page is preceded by the header of its frame.
    const last = writes.findIndex((write, index) => index >= first - 1 && endsCommit(write));
    return last < 0 ? undefined : { end: writes[last + 1]?.end ?? Infinity };
  }

  function faultOf(what: string, words: string, sending: SystemCall | undefined): string[] {
    const commit = commitOf(words);
    if (!commit || !sending) return [`${what} is not in the trace`];
    const isSynced = syncs.some(({ begin, end }) => begin > commit.end && end < sending.begin);
    return isSynced ? [] : [`${what} was sent on line ${sending.begin + 1} before it was synced`];
  }

  function faultsOf({ name, code }: Acknowledged): string[] {
    const order = sent.findIndex(({ file, bytes }) => file.includes(consoleAddress) && bytes.includes(name));
    const post = sent
      .slice(0, order + 1)
      .findLast(({ file, bytes }) => file === sent[order]?.file && bytes.includes('POST '));
    const reply = sent.find(({ bytes }) => bytes.startsWith('HTTP/1.1 201') && bytes.includes(code));
    return [...faultOf(`the order ${name}`, name, post), ...faultOf(`the code of ${name}`, code, reply)];
  }

  return vouchers.flatMap(faultsOf);
}

/** The successful syncs of a file. */
export function syncsOf(calls: SystemCall[], path: string): SystemCall[] {
  return calls.filter(({ name, file, isDone }) => isDone && file === path && /^f(data)?sync$/.test(name));
}

const endsCommit = ({ bytes }: SystemCall) =>
  bytes.length === FRAME_HEADER_BYTES && bytes.slice(4, 8) !== NO_COMMIT;
