// Tests the UniFi drivers against the common contract on simulated consoles: the official API, and the classic API on
// both flavours.

import assert from 'node:assert/strict';
import { startSimulatedConsole } from '../../packages/unifi-console/src/index.ts';
import { controllerContract } from './controller-contract.ts';
import { connect, memorySessions, pinnedSite, WRONG_FINGERPRINT } from './support/pinned-site.ts';

const drivers = [
  { kind: 'unifi', flavour: 'unifi-os' },
  { kind: 'unifi-classic', flavour: 'unifi-os' },
  { kind: 'unifi-classic', flavour: 'unifi-classic' },
] as const;

for (const { kind, flavour } of drivers)
  controllerContract(`${kind} on ${flavour}`, async () => {
    const sites = [
      { name: 'default', desc: 'Default' },
      { name: 'another', desc: 'Another' },
    ];
    const start = () => startSimulatedConsole({ flavour, sites });
    const [working, refusing, losing] = await Promise.all([start(), start(), start()]);
    refusing.controls.setFault({ match: 'create', kind: 'status', status: 400, times: 'always' });
    losing.controls.setFault({ match: 'create', kind: 'cut-after-write', times: 'always' });
    // A check creates no voucher, so the calls that it makes must fail as well.
    for (const { controls } of [refusing, losing]) {
      controls.setFault({ match: 'info', kind: 'no-permission', times: 'always' });
      controls.setFault({ match: 'sites', api: 'classic', kind: 'no-permission', times: 'always' });
    }
    const failingSites = {
      refused: pinnedSite(refusing, kind),
      unreachable: pinnedSite(working, kind, { fingerprint256: WRONG_FINGERPRINT }),
      'outcome-unknown': pinnedSite(losing, kind),
    };

    const sessions = memorySessions();
    let controllers = connect(sessions);
    return {
      controllerFor: (site) => controllers.controllerOf(pinnedSite(working, kind, { site })),
      failing: (failure) => controllers.controllerOf(failingSites[failure]),
      redeem: (code) => assert.ok(working.controls.redeem({ code }).ok),
      async reopen() {
        await controllers.close();
        controllers = connect(sessions);
      },
      async close() {
        await controllers.close();
        await Promise.all([working, refusing, losing].map((console) => console.stop()));
      },
    };
  });
