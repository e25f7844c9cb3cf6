// What the package `simulated-unifi-console` exports.

export type { Controls, Filling } from './controls.ts';
export type { Counters } from './counters.ts';
export { FAULT_KINDS, type Fault, type FaultKind, type FaultState } from './faults/fault-list.ts';
export { FLAVOURS, type Flavour, type SimulatorOptions, type Switches } from './options.ts';
export { type SimulatedController, startSimulatedController } from './server.ts';
export type { StoredVoucher } from './voucher-store.ts';
