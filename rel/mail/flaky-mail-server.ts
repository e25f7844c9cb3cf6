// A mail server that fails three times out of ten, as the seed decides. It notes which guests got which mail, and when
// the connection of each mail began.

import {
  type MailFault,
  type MailStep,
  startMailServer,
  type TestMailServer,
} from '../../tests/support/mail/mail-server.ts';
import { chanceOf } from '../chance-of.ts';

/** What fails, and how often. A mail is dropped after it was taken, or before, or the server is too slow to say so. */
const FAULTS: { step: MailStep; fault: MailFault; share: number }[] = [
  { step: 'connect', fault: '421 4.7.0 Too many connections', share: 0.06 },
  { step: 'recipient', fault: '451 4.7.1 Greylisted', share: 0.08 },
  { step: 'recipient', fault: 'drop', share: 0.03 },
  { step: 'content', fault: 'drop', share: 0.05 },
  { step: 'accepted', fault: 'drop', share: 0.06 },
  { step: 'accepted', fault: 'hang', share: 0.02 },
];
/** Failures per guest: each of them lengthens the pause, and a tenth failed attempt would rightly end the mail. */
const MAX_FAILURES = 4;

export interface Arrival {
  address: string;
  messageId: string;
  /** The voucher code in the mail, without its hyphen. */
  code: string;
  /** The sender looks at the voucher before it connects. */
  connectedAtMs: number;
}

export interface Book {
  connections: number;
  /** The number of faults of each kind. */
  faults: Record<string, number>;
  arrivals: Arrival[];
  /** Guests who got their mail. */
  addresses: Set<string>;
}

export interface FlakyMailServer extends Pick<TestMailServer, 'port' | 'stop'> {
  book: Book;
  /** Runs `act` once `count` guests got their mails, before the sender of the last mail gets its reply. */
  beforeReply(count: number, act: () => void): void;
  /** Waits until every mail is read. */
  settled(): Promise<unknown>;
}

export async function startFlakyMailServer(seed: number): Promise<FlakyMailServer> {
  const book: Book = { connections: 0, faults: {}, arrivals: [], addresses: new Set() };
  const connectedAt = new Map<number, number>();
  const failures = new Map<string, number>();
  const reading: Promise<void>[] = [];
  let watch: { count: number; act: () => void } | undefined;

  async function note(address: string, connectedAtMs: number): Promise<void> {
    const mail = server.mails.pop();
    if (!mail) throw new Error('a mail was taken that is not there');
    book.addresses.add(address);
    const { text = '' } = await mail.parse();
    const code = (/\b\d{5}-\d{5}\b/.exec(text)?.[0] ?? '').replace('-', '');
    book.arrivals.push({ address, messageId: mail.messageId, code, connectedAtMs });
  }

  /** A connection fails by its number. A guest's mail fails at one step of an attempt. */
  function findFault(step: MailStep, subject: string, turn: number): MailFault | undefined {
    let chance = chanceOf(`${seed} ${subject} ${turn}`);
    for (const each of FAULTS.filter(({ step }) => (step === 'connect') === (subject === 'connection'))) {
      if (chance < each.share) return each.step === step ? each.fault : undefined;
      chance -= each.share;
    }
    return undefined;
  }

  const server = await startMailServer({
    fault(step, { connection, recipient }) {
      if (step === 'connect') {
        book.connections++;
        connectedAt.set(connection, Date.now());
      }
      if (step === 'accepted' && recipient !== undefined)
        reading.push(note(recipient, connectedAt.get(connection) ?? 0));
      if (step === 'accepted' && watch && book.addresses.size >= watch.count) {
        watch.act();
        watch = undefined;
      }
      const turn = recipient === undefined ? connection : (failures.get(recipient) ?? 0);
      if (recipient !== undefined && turn >= MAX_FAILURES) return undefined;
      const fault = findFault(step, recipient ?? 'connection', turn);
      if (fault === undefined) return undefined;
      if (recipient !== undefined) failures.set(recipient, turn + 1);
      const name = `${fault.slice(0, 4).trim()} at ${step}`;
      book.faults[name] = (book.faults[name] ?? 0) + 1;
      return fault;
    },
  });

  return {
    port: server.port,
    stop: server.stop,
    book,
    beforeReply(count, act) {
      watch = { count, act };
    },
    settled: () => Promise.all(reading),
  };
}
