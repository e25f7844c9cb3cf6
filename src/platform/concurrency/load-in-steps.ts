// Loads modules one after the other and lets requests be served in between. A module is loaded synchronously, so
// loading many at once would delay every request of the service.

export async function loadInSteps(steps: readonly (() => unknown)[]): Promise<void> {
  for (const load of steps) {
    await load();
    await new Promise(setImmediate);
  }
}
