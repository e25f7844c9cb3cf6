// `npm run rel -- sim`, `instances`, `storm`, `webhook`, `mail`, `failover`, `backup`, `console`, `fsync`, `powercut`,
// `systemd`, `mutants`, `soak` or `without`: reliability runs of any length. Exits with 1 if a fault was found.

import { parseArgs } from 'node:util';

const USAGE = `usage: npm run rel -- sim [--seeds N] [--from SEED]
       npm run rel -- instances [--rounds N] [--seconds N]
       npm run rel -- storm [--seconds N] [--kills N] [--restarts N] [--seed SEED]
       npm run rel -- webhook [--events N] [--kills N] [--seed SEED] [--postgres]
       npm run rel -- mail [--mails N] [--kills N] [--seed SEED] [--sqlite]
       npm run rel -- failover [--kills N | --asynchronous]
       npm run rel -- backup [--backups N]
       npm run rel -- console [--answers N] [--seed SEED]
       npm run rel -- fsync [--vouchers N] [--unsynced]
       npm run rel -- powercut [--cuts N] [--seed SEED] [--recording FOLDER | --unsynced]
       npm run rel -- systemd [--settings]
       npm run rel -- mutants [--mutants N] [--from-seed TEXT] [--lanes N] [--again]
       npm run rel -- soak [--minutes N] [--postgres]
       npm run rel -- without [--feature NAME]
  sim        simulated schedules of creating and settling vouchers (default: 100000, from 1)
  instances  three instances on one PostgreSQL: rounds on a key with a limit (default: 100), orders with equal
             names, seconds of kills (default: 60), restarts of the database
  storm      32 callers of everything, on two instances on PostgreSQL: seconds (default: 60), kills (default: 20),
             restarts of PostgreSQL (default: 5), and faults of the consoles and the mail server
  webhook    events (default: 10000) for a receiver that fails a third of the time, from a service that is
             killed (default: 20 times); on SQLite, or on PostgreSQL
  mail       vouchers with mails (default: 10000) from two instances on PostgreSQL that are killed (default: 20 times),
             through a mail server that fails three times out of ten; --sqlite: from one instance on SQLite
  failover   kills of the primary (default: 20) of two PostgreSQL servers with Patroni, etcd and HAProxy, under load;
             --asynchronous: one kill, and what the sync brings back; on Debian: apt-get install postgresql patroni
             etcd-server haproxy
  backup     backups on each engine while vouchers are created (default: 100), each restored and compared, by
             turns on SQLite and on PostgreSQL
  console    damaged answers of a console for each call of both drivers (default: 20000)
  fsync      traces a service on SQLite while vouchers are created, 1 and 16 at a time (default: 200 each): orders go to
             the console and codes to the client only after they are on disk; on Debian: apt-get install strace;
             --unsynced: skips the syncs, and must find faults
  powercut   simulated power cuts (default: 1000) at recorded writes of a service on SQLite: afterwards the disk has
             every acknowledged voucher; on Debian: apt-get install gcc libc6-dev; --recording: repeats the cuts of
             an earlier run; --unsynced: skips the syncs, and must find faults
  systemd    the Debian package in an emulated machine with systemd; as root, after npm run package and
             npm run package:debian -- --own; on Debian: apt-get install mmdebstrap qemu-system e2fsprogs;
             --settings: only records how systemd reads a settings file; as root, without a machine
  mutants    changes of one place of the code (default: 100, drawn with the seed), of each of which an everyday test
             must fail; an interrupted run goes on; --lanes 2: two at a time; --again: survivors of an earlier run, too
  soak       minutes (default: 40) of a steady load of everything on one instance, whose memory must not grow in the second
             half; on SQLite, or on PostgreSQL
  without    takes each feature out in turn, with those that need it: the rest must type-check, and must serve the
             database of a complete installation`;
const SHOWN = 20;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string', default: '100000' },
    from: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '60' },
    events: { type: 'string', default: '10000' },
    mails: { type: 'string', default: '10000' },
    kills: { type: 'string', default: '20' },
    restarts: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    backups: { type: 'string', default: '100' },
    answers: { type: 'string', default: '20000' },
    vouchers: { type: 'string', default: '200' },
    cuts: { type: 'string', default: '1000' },
    recording: { type: 'string' },
    unsynced: { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
    sqlite: { type: 'boolean', default: false },
    asynchronous: { type: 'boolean', default: false },
    settings: { type: 'boolean', default: false },
    mutants: { type: 'string', default: '100' },
    'from-seed': { type: 'string' },
    lanes: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '40' },
    again: { type: 'boolean', default: false },
    feature: { type: 'string', default: '' },
  },
});
const {
  seeds,
  from,
  rounds,
  seconds,
  events,
  mails,
  kills,
  restarts,
  seed,
  backups,
  answers: responses,
  vouchers,
  cuts,
} = values;
const numbers = {
  count: Number(seeds),
  from: Number(from),
  rounds: Number(rounds),
  seconds: Number(seconds),
  events: Number(events),
  mails: Number(mails),
  kills: Number(kills),
  restarts: Number(restarts),
  seed: Number(seed),
  backups: Number(backups),
  answers: Number(responses),
  vouchers: Number(vouchers),
  cuts: Number(cuts),
  mutants: Number(values.mutants),
  lanes: Number(values.lanes),
  minutes: Number(values.minutes),
};
const run = Object.values(numbers).every(Number.isSafeInteger) && positionals.join(' ');

if (run === 'sim') await simulate(numbers);
else if (run === 'instances') await serve(numbers);
else if (run === 'storm') await storm(numbers);
else if (run === 'webhook') await notify(numbers);
else if (run === 'mail') await send(numbers);
else if (run === 'failover') await failOver(numbers);
else if (run === 'backup') await backUp(numbers);
else if (run === 'console') await fuzz(numbers);
else if (run === 'fsync') await trace(numbers);
else if (run === 'powercut') await cutPower(numbers);
else if (run === 'systemd') await emulate();
else if (run === 'mutants') await mutate(numbers);
else if (run === 'soak') await soak(numbers);
else if (run === 'without') await without();
else {
  console.error(USAGE);
  process.exitCode = 2;
}

async function simulate({ count, from }: typeof numbers): Promise<void> {
  const { runSchedules } = await import('./sim/run-schedules.ts');
  const failures = await runSchedules({ from, count });
  for (const { seed, faults } of failures.slice(0, SHOWN)) console.log(`seed ${seed}: ${faults.join('; ')}`);
  console.log(`${count} schedules, ${failures.length} with something lost, doubled or orphaned`);
  process.exitCode = failures.length > 0 ? 1 : 0;
}

async function serve({ rounds, seconds }: typeof numbers): Promise<void> {
  const { runInstances } = await import('./instances.ts');
  process.exit((await runInstances({ rounds, seconds })) ? 0 : 1);
}

async function storm({ seconds, kills, restarts, seed }: typeof numbers): Promise<void> {
  const { runStorm } = await import('./storm/run-storm.ts');
  process.exit((await runStorm({ seconds, kills, restarts, seed })) ? 0 : 1);
}

async function notify({ events, kills, seed }: typeof numbers): Promise<void> {
  const { runWebhook } = await import('./webhook/run-webhook.ts');
  process.exit((await runWebhook({ events, kills, seed, onPostgres: values.postgres })) ? 0 : 1);
}

async function send({ mails, kills, seed }: typeof numbers): Promise<void> {
  const { runMail } = await import('./mail/run-mail.ts');
  process.exit((await runMail({ mails, kills, seed, onSqlite: values.sqlite })) ? 0 : 1);
}

async function failOver({ kills }: typeof numbers): Promise<void> {
  if (values.asynchronous) {
    const { runAsynchronous } = await import('./failover/run-asynchronous.ts');
    process.exit((await runAsynchronous()) ? 0 : 1);
  }
  const { runFailover } = await import('./failover/run-failover.ts');
  process.exit((await runFailover({ kills })) ? 0 : 1);
}

async function backUp({ backups: count }: typeof numbers): Promise<void> {
  const { runBackups } = await import('./backup/run-backups.ts');
  process.exit((await runBackups({ count })) ? 0 : 1);
}

async function fuzz({ answers: responses, seed }: typeof numbers): Promise<void> {
  const { runConsole } = await import('./console/run-console.ts');
  process.exit((await runConsole({ answers: responses, seed })) ? 0 : 1);
}

async function trace({ vouchers: count }: typeof numbers): Promise<void> {
  const { runFsync } = await import('./fsync/run-fsync.ts');
  process.exit((await runFsync({ count, isSynced: !values.unsynced })) ? 0 : 1);
}

async function cutPower({ cuts, seed }: typeof numbers): Promise<void> {
  const { runPowercut } = await import('./powercut/run-powercut.ts');
  const { recording, unsynced } = values;
  process.exit((await runPowercut({ cuts, seed, recording, isSynced: !unsynced })) ? 0 : 1);
}

async function emulate(): Promise<void> {
  if (values.settings) {
    const { recordSettings } = await import('./systemd/record-settings.ts');
    recordSettings();
    return;
  }
  const { runSystemd } = await import('./systemd/run-systemd.ts');
  process.exit((await runSystemd()) ? 0 : 1);
}

async function mutate({ mutants: count, lanes }: typeof numbers): Promise<void> {
  const { runMutants } = await import('./mutants/run-mutants.ts');
  process.exit((await runMutants({ count, seed: values['from-seed'], lanes, again: values.again })) ? 0 : 1);
}

async function soak({ minutes }: typeof numbers): Promise<void> {
  const { runSoak } = await import('./soak/run-soak.ts');
  process.exit((await runSoak({ minutes, onPostgres: values.postgres })) ? 0 : 1);
}

async function without(): Promise<void> {
  const { runWithout } = await import('./without/run-without.ts');
  process.exit((await runWithout({ only: values.feature })) ? 0 : 1);
}
