// What the package `simulated-unifi-console` exports.

export type { Controls, Filling } from './controls.ts';
export type { Counters } from './counters.ts';
export { FAULT_KINDS, type Fault, type FaultKind, type FaultState } from './faults/fault-list.ts';
export { type ConsoleOptions, FLAVOURS, type Flavour, type Switches } from './options.ts';
export { type SimulatedConsole, startSimulatedConsole } from './server.ts';
export type { StoredVoucher } from './voucher-store.ts';
