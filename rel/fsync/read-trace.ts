// Reads the output of `strace -f -yy`: the system calls of all threads of a process in their order. A call of one
// thread can begin before and end after calls of other threads.

export interface SystemCall {
  thread: number;
  name: string;
  /** The path of the file, or the two ends of the connection, such as `TCP:[127.0.0.1:80->127.0.0.1:40000]`. */
  file: string;
  /** The written bytes, as text with one character per byte. */
  bytes: string;
  /** The lines on which the call began and ended. Between them, it was running. */
  begin: number;
  end: number;
  /** Whether the call succeeded. False if strace has skipped the call and only reported success. */
  isDone: boolean;
}

const STARTED = /^(\d+) +(\w+)\(\d+<(.*?[^-])>(.*)$/s;
const RESUMED = /^(\d+) +<\.\.\. \w+ resumed>(.*)$/s;
const UNFINISHED = /<unfinished \.\.\.>$/;
const RESULT = /\) += (-?\d+)(.*)$/;
const STRINGS = /"((?:[^"\\]|\\.)*)"/g;
const ESCAPES = /\\([0-7]{1,3}|.)/g;
const NAMED_ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', v: '\v', f: '\f' };

export function readTrace(text: string): SystemCall[] {
  const calls: SystemCall[] = [];
  const running = new Map<string, SystemCall>();
  for (const [line, content] of text.split('\n').entries()) {
    const [, resumedBy, rest = ''] = RESUMED.exec(content) ?? [];
    const resumed = resumedBy === undefined ? undefined : running.get(resumedBy);
    if (resumed) finish(resumed, rest, line);
    const [, thread = '', name = '', file = '', words = ''] = STARTED.exec(content) ?? [];
    if (name === '') continue;
    const bytes = [...words.matchAll(STRINGS)].map(([, string = '']) => decodeEscapes(string)).join('');
    const call = { thread: Number(thread), name, file, bytes, begin: line, end: Infinity, isDone: false };
    calls.push(call);
    if (UNFINISHED.test(words)) running.set(thread, call);
    else finish(call, words, line);
  }
  return calls;
}

function finish(call: SystemCall, words: string, line: number): void {
  const [, value, remark = ''] = RESULT.exec(words) ?? [];
  call.end = line;
  call.isDone = Number(value) >= 0 && !remark.includes('INJECTED');
}

function decodeEscapes(string: string): string {
  return string.replace(ESCAPES, (_, escaped: string) =>
    /^[0-7]/.test(escaped)
      ? String.fromCharCode(Number.parseInt(escaped, 8))
      : (NAMED_ESCAPES[escaped] ?? escaped),
  );
}
