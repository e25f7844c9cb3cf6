// The faults of simulated printers. They can be set at the start and at any time later.

export const KINDS = ['escpos', 'cloudprnt', 'epson'] as const;
export type PrinterKind = (typeof KINDS)[number];

interface FaultKind {
  kinds: readonly PrinterKind[];
  /** What the number of the fault counts; undefined if the fault has no number. */
  unit?: string;
  meaning: string;
}

const POLLING: readonly PrinterKind[] = ['cloudprnt', 'epson'];

export const FAULT_KINDS = {
  slow: { kinds: KINDS, unit: 'bytes per second', meaning: 'takes so many bytes per second' },
  'dies-after-bytes': { kinds: KINDS, unit: 'bytes', meaning: 'loses power after so many bytes of a job' },
  'dies-after-rows': { kinds: KINDS, unit: 'rows', meaning: 'loses power after so many rows of dots' },
  'paper-ends-after-rows': { kinds: KINDS, unit: 'rows', meaning: 'is out of paper after so many rows' },
  'paper-out': { kinds: KINDS, meaning: 'has no paper' },
  'cover-open': { kinds: KINDS, meaning: 'has an open cover' },
  offline: { kinds: KINDS, meaning: 'resets every connection, or does not poll' },
  hangs: { kinds: ['escpos'], meaning: 'takes connections, but neither reads nor answers' },
  silent: { kinds: ['escpos'], meaning: 'prints, but answers no question about its status' },
  'reports-ready': {
    kinds: ['escpos', 'cloudprnt'],
    meaning: 'claims to be ready without paper or with an open cover',
  },
  'prints-nothing': { kinds: KINDS, meaning: 'confirms the job, but prints nothing' },
  'polls-twice': { kinds: POLLING, meaning: 'sends two polls at once' },
  'asks-twice': { kinds: ['cloudprnt'], meaning: 'gets each job twice before it prints it' },
  'forgets-to-confirm': { kinds: POLLING, meaning: 'prints, but does not confirm' },
} as const satisfies Record<string, FaultKind>;

export type FaultName = keyof typeof FAULT_KINDS;
/** Faults without a number are true. */
export type Faults = { [Name in FaultName]?: number | boolean };

export interface FaultSet {
  has(name: FaultName): boolean;
  /** Infinite if the fault is not set. */
  number(name: FaultName): number;
  /** `false` ends the fault. */
  set(name: FaultName, value: number | boolean): void;
  /** Called after each change. */
  onChange(listener: () => void): void;
}

/** Refuses faults that this kind of printer does not have, and numbers where none belongs. */
export function makeFaults(kind: PrinterKind, initial: Faults = {}): FaultSet {
  const values = new Map<FaultName, number | boolean>();
  const listeners: (() => void)[] = [];

  function set(name: FaultName, value: number | boolean): void {
    const problem = findProblem(kind, name, value);
    if (problem) throw new TypeError(problem);
    if (value === false) values.delete(name);
    else values.set(name, value);
    for (const listener of listeners) listener();
  }

  for (const [name, value] of Object.entries(initial)) set(checkName(name), value);
  return {
    has: (name) => values.has(name),
    number(name) {
      const value = values.get(name);
      return typeof value === 'number' ? value : Number.POSITIVE_INFINITY;
    },
    set,
    onChange(listener) {
      listeners.push(listener);
    },
  };
}

function findProblem(kind: PrinterKind, name: FaultName, value: number | boolean): string | undefined {
  const fault: FaultKind = FAULT_KINDS[checkName(name)];
  if (!fault.kinds.includes(kind)) return `printers of the kind ${kind} do not have the fault ${name}`;
  if (value === false) return;
  if (fault.unit === undefined) return value === true ? undefined : `the fault ${name} has no number`;
  const isNumber = Number.isSafeInteger(value) && Number(value) > 0;
  return isNumber ? undefined : `the fault ${name} needs a number (${fault.unit})`;
}

/** Reads `paper-out` or `slow=200`. Throws a TypeError with a message for people. */
export function parseFault(text: string): { name: FaultName; value: number | true } {
  const [name = '', number] = text.split('=', 2);
  return { name: checkName(name), value: number === undefined ? true : Number(number) };
}

function checkName(name: string): FaultName {
  if (!isFaultName(name)) throw new TypeError(`there is no fault ${name}`);
  return name;
}

function isFaultName(name: string): name is FaultName {
  return Object.hasOwn(FAULT_KINDS, name);
}
