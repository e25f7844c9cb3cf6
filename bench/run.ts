// Runs all measurements except growth.ts and pages.ts, and writes the results to RESULTS.md with machine, date and
// commit.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { benchBlackHole } from './black-hole.ts';
import { benchControllers } from './controllers.ts';
import { benchCreate } from './create.ts';
import { benchIdle } from './idle.ts';
import { benchInstances } from './instances.ts';
import { LOAD_GENERATOR } from './load.ts';
import { benchReads } from './reads.ts';
import { benchSignIn } from './sign-in.ts';
import { benchSync } from './sync.ts';
import { benchSyncBesideReads } from './sync-beside-reads.ts';

const round = (value: number) => Math.round(value).toLocaleString('en');

const reads = await benchReads();
const create = await benchCreate();
const idle = await benchIdle();
const { unifi, classic, classicEqualNames, unifiUsual, classicUsual, unifiAtOnce, classicAtOnce } =
  await benchControllers();
const sync = await benchSync();
const besideSync = await benchSyncBesideReads();
const shared = await benchInstances();
const blackHole = await benchBlackHole();
const signIn = await benchSignIn();

const throughConsole = (what: string, side: typeof unifi) =>
  `| ${what} | ${round(side.createsPerS)}/s | bare undici, the calls needed: ${round(side.barePerS)}/s | ${side.ratio.toFixed(2)} |
| one at a time | ${side.serviceMs.toFixed(1)} ms | bare undici: ${side.bareMs.toFixed(1)} ms | + ${side.addedMs.toFixed(1)} ms |`;
type Side = typeof shared.listOne;
const together = (what: string, one: Side, two: Side) =>
  `| ${what} | ${round(one.perS)}/s, ${round(one.cpuUs)} µs | ${round(two.perS)}/s, ${round(two.cpuUs)} µs | ${(two.perS / one.perS).toFixed(2)} | ${((2 * one.cpuUs) / two.cpuUs).toFixed(2)} |`;
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const synced = (kind: string, { first, idle, used }: typeof sync.unifi) =>
  `| ${kind} | ${seconds(first.ms)} | ${seconds(idle.ms)} | ${seconds(used.ms)} | ${round(Math.max(first.peakMb, used.peakMb))} MB |`;

const listsBeside = (what: string, side: typeof besideSync.first) =>
  `| ${what} | ${side.p50Ms.toFixed(1)} ms | ${side.p99Ms.toFixed(1)} ms | ${seconds(side.ms)} | ${seconds(side.cpuMs)} | ${round(side.grownMb)} MB |`;

const besideLogins = (logins: string, side: typeof signIn.honest) =>
  `| ${logins} | ${round(side.besiegedPerS)}/s | ${round(side.quietPerS)}/s | ${side.ratio.toFixed(2)} | ${side.slowestS.toFixed(1)} s |`;

const { stdout: commit } = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' });
const gibibytes = Math.round(totalmem() / 2 ** 30);
const text = `# Results

Made by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)} at commit ${commit?.trim() || 'unknown'}: ${process.arch}, ${cpus().length} cores, ${gibibytes} GiB,
Node ${process.versions.node}. The load generator (${LOAD_GENERATOR}) shares the cores with what it measures, so rates are low
and the ratios are what counts: rounds alternate between the two sides, and medians are compared.

| what | figure | for comparison, in the same run | ratio |
|---|---|---|---|
${reads.map(({ name, service, bare, ratio }) => `| ${name} | ${round(service.perS)}/s, ${round(service.cpuUs)} µs | bare \`node:http\` sending the same bytes: ${round(bare.perS)}/s, ${round(bare.cpuUs)} µs | ${ratio.toFixed(2)} |`).join('\n')}
${create.sides.map(({ connections, perS, p99Ms, cpuUs }) => `| vouchers created on the simulator, ${connections} at once, \`synchronous=FULL\` | ${round(perS)}/s, ${round(cpuUs)} µs, p99 ${round(p99Ms)} ms | bare loop with the same two commits per voucher: ${round(create.barePerS)}/s | ${(perS / create.barePerS).toFixed(2)} |`).join('\n')}
| start of the process to the first answer | ${round(idle.startMs)} ms | first start, with set-up: ${round(idle.firstStartMs)} ms | |
| resident memory when idle | ${round(idle.idleMb)} MB | | |

Vouchers made on a UniFi console (the simulated one, over TLS, 100 connections to the service, 8 to the console).
The bare side is a loop on undici that makes the calls that are needed (classic: one creation each, one list per second that
serves all vouchers of that second) and records nothing.
Of a console that takes no time at all only processor time is left to compare; three processes share the cores there.

| what | figure | for comparison, in the same run | ratio |
|---|---|---|---|
${throughConsole('`unifi`, console answers after 10 ms', unifi)}
${throughConsole('`unifi-classic`, 10 ms for each of two calls', classic)}
${throughConsole('the same, all vouchers with one name', classicEqualNames)}
${throughConsole('`unifi`, console answers after 50 ms', unifiUsual)}
${throughConsole('`unifi-classic`, console answers after 50 ms', classicUsual)}
${throughConsole('`unifi`, console takes no time', unifiAtOnce)}
${throughConsole('`unifi-classic`, console takes no time', classicAtOnce)}

Sync of a site with ${round(sync.vouchers)} vouchers, by \`gastpass sync\`, start of the process included.

| kind | first, all imported | nothing new | ${sync.uses} used since | most memory |
|---|---|---|---|---|
${synced('`unifi`', sync.unifi)}
${synced('`unifi-classic`', sync.classic)}

The same sync by the service itself, and lists of another site meanwhile, 200 a second.

| sync | lists, median | p99 | duration | processor time of the service | memory grown by |
|---|---|---|---|---|---|
${listsBeside('none', besideSync.quiet)}
${listsBeside('first, all imported', besideSync.first)}
${listsBeside('nothing new', besideSync.idle)}

One PostgreSQL (without sync to disk), one instance and two, 20 connections to each. Load generator, database and instances
share ${cpus().length} cores here, so a second instance cannot show what it is worth; the processor time of an instance per answer
can: where each instance has a core of its own, two give as many times the answers of one as the last column says.

| what | one instance | two | ratio | by processor time |
|---|---|---|---|---|
${together('list', shared.listOne, shared.listTwo)}
${together('creation on the simulator', shared.createOne, shared.createTwo)}

A webhook that accepts connections and never answers: p99 of POST with it ${blackHole.besideMs.toFixed(1)} ms, without any ${blackHole.withoutMs.toFixed(1)} ms, so
${blackHole.addedMs.toFixed(1)} ms more (rounds of two services in turns, medians).

Logins beside lists, in turns with lists alone; medians, and the slowest login of all rounds.

| logins | lists beside them | lists alone | ratio | slowest login |
|---|---|---|---|---|
${besideLogins('50 at once, right password, one network', signIn.honest)}
${besideLogins('100 networks guess 50 times a second; a known device logs in', signIn.attacked)}
`;
writeFileSync(new URL('RESULTS.md', import.meta.url), text);
console.log(text);
