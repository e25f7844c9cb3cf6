// Disconnects the devices that are online with a voucher of a classic controller. Deleting the voucher alone may leave
// them online. MAC addresses are personal data, so they are neither stored nor logged: failures never quote them.

import type { Controller, ControllerFailure } from '../controller.ts';
import type { CallOptions } from '../upstream/call-limiter.ts';
import { decodeOnlineDevice, type OnlineDevice } from './decode.ts';

const HOUR_MS = 60 * 60_000;

interface Deps {
  /** Passes the guests of the last hours to `onChunk`. Returns undefined if the list was read to its end. */
  readGuests(
    hours: number,
    onChunk: (guests: unknown[]) => Promise<void>,
    options: CallOptions,
  ): Promise<ControllerFailure | undefined>;
  /** `unknown`: the controller does not know the device, so the device is not online. */
  sendDisconnection(mac: string, options: CallOptions): Promise<ControllerFailure | 'unknown' | undefined>;
}

export function makeClassicDisconnection({
  readGuests,
  sendDisconnection,
}: Deps): Required<Pick<Controller, 'disconnectDevices'>> {
  return {
    async disconnectDevices({ controllerVoucherId, usedForMs }, signal) {
      const options: CallOptions = { signal, priority: 'create' };
      const latest = new Map<string, OnlineDevice>();
      // An hour more, because the clock of the controller may differ from ours.
      const hours = Math.max(0, Math.ceil(usedForMs / HOUR_MS)) + 1;
      const unread = await readGuests(hours, async (guests) => guests.forEach(addTo(latest)), options);
      if (unread) return { count: 0, failure: unread };
      let count = 0;
      let failure: ControllerFailure | undefined;
      // A device that was let in again with another voucher stays online.
      for (const device of latest.values()) {
        if (signal.aborted) break;
        if (device.controllerVoucherId !== controllerVoucherId) continue;
        const outcome = await sendDisconnection(device.mac, options);
        if (outcome === undefined) count++;
        else if (outcome !== 'unknown') failure = withoutMac(outcome, device.mac);
      }
      return failure ? { count, failure } : { count };
    },
  };
}

/** Keeps the latest entry of each device. */
function addTo(latest: Map<string, OnlineDevice>): (guest: unknown) => void {
  return (guest) => {
    const device = decodeOnlineDevice(guest);
    const known = device && latest.get(device.mac);
    if (device && (!known || known.startedAtMs <= device.startedAtMs)) latest.set(device.mac, device);
  };
}

function withoutMac(failure: ControllerFailure, mac: string): ControllerFailure {
  return { ...failure, text: failure.text.replace(new RegExp(mac, 'gi'), '…') };
}
