// How much a printer that never answers delays the creation of vouchers, of those that it prints and of others. Both
// services run at the same time and are loaded in turns.

import { timeCreations } from './creation-times.ts';
import { compareTimes, measureRounds } from './rounds.ts';
import type { Row } from './row.ts';
import { startBlackHole } from './start-black-hole.ts';
import { startServiceProcess } from './start-service.ts';

const PER_ROUND = 400;

export async function benchPrinter(): Promise<Row[]> {
  const blackHole = await startBlackHole();
  const services = await Promise.all([startServiceProcess(), startServiceProcess()]);
  const [withPrinter, without] = services;
  const address = `127.0.0.1:${blackHole.port}`;
  const words = [
    'printers',
    'add',
    '--site',
    '1',
    '--name',
    'Rezeption',
    '--kind',
    'escpos',
    '--address',
    address,
  ];
  const printer = withPrinter.run(words).trim();
  const measured = await measureRounds({
    printed: () => timeCreations(withPrinter, { count: PER_ROUND, headers: { 'guest-print': printer } }),
    beside: () => timeCreations(withPrinter, { count: PER_ROUND }),
    without: () => timeCreations(without, { count: PER_ROUND }),
  }).finally(async () => {
    await Promise.all(services.map((service) => service.stop()));
    blackHole.stop();
  });
  if (blackHole.calls() === 0) throw new Error('the printer that never answers was never called');
  return [
    ...compareTimes(
      'create and print, printer never answers (bare: not printed)',
      measured.printed,
      measured.without,
    ),
    ...compareTimes(
      'create beside a printer that never answers (bare: no printer)',
      measured.beside,
      measured.without,
    ),
  ];
}
