// The resources of a site in the classic API: vouchers, guests, system information and commands. The access check and
// the lookup of the site run before these handlers.

import { type ConsoleState, isExpired } from '../console-state.ts';
import type { Envelope } from './envelope.ts';
import { presentGuest, presentVoucher } from './present.ts';
import { readWhole } from './read-arguments.ts';
import { makeStationCommands, type SiteCall, type SiteRoute } from './station-commands.ts';
import { readVoucherOrder } from './voucher-order.ts';

const DEFAULT_WITHIN_HOURS = 24 * 365;
const EXTENSION_S = 24 * 60 * 60;

/** Returns the handlers, keyed by the path below the site. Commands are keyed by path and command name. */
export function makeSiteResources(state: ConsoleState, envelope: Envelope): Record<string, SiteRoute> {
  const { vouchers, guests, nowS, username } = state;
  const invalid = () => envelope.refuse(400, 'api.err.InvalidArgs');

  const listVouchers: SiteCall = (site, { create_time }) => {
    const createdAtS = readWhole(create_time);
    const found = createdAtS === undefined ? vouchers.all(site.id) : vouchers.createdAt(site.id, createdAtS);
    const now = nowS();
    return envelope.ok(found.map((voucher) => presentVoucher(voucher, now)));
  };

  const createVouchers: SiteCall = (site, args) => {
    const order = readVoucherOrder(args);
    if (!order) return invalid();
    const made = vouchers.create({ ...order.voucher, siteId: site.id, adminName: username }, order.count);
    return envelope.ok([{ create_time: made[0]?.createdAtS }]);
  };

  const deleteVoucher: SiteCall = (site, { _id }) => {
    const voucher = vouchers.findById(site.id, String(_id));
    if (voucher) vouchers.delete(voucher);
    // The controller responds with ok even if the voucher does not exist.
    return envelope.ok([]);
  };

  const listGuests: SiteCall = (site, { within }) => {
    const sinceS = nowS() - (readWhole(within) ?? DEFAULT_WITHIN_HOURS) * 60 * 60;
    const found = guests.all(site.id).filter(({ startS }) => startS >= sinceS);
    return envelope.ok(found.map((guest) => presentGuest(guest, nowS())));
  };

  const extendGuest: SiteCall = (site, { _id }) => {
    const guest = guests.find(site.id, String(_id));
    if (!guest) return invalid();
    guests.extend(guest, EXTENSION_S);
    return envelope.ok([presentGuest(guest, nowS())]);
  };

  const terminateGuest: SiteCall = (site, { _id }) => {
    const guest = guests.find(site.id, String(_id));
    if (!guest) return invalid();
    if (!isExpired(guest, nowS())) guests.end(guest, nowS());
    return envelope.ok([]);
  };

  const showSystem: SiteCall = () =>
    envelope.ok([
      {
        version: state.version(),
        build: `atag_${state.version()}_simulated`,
        hostname: 'unifi',
        name: 'Simulated controller',
        timezone: 'Europe/Berlin',
      },
    ]);

  const listWlans: SiteCall = ({ id, desc }) =>
    envelope.ok([
      {
        _id: id.split('').reverse().join(''),
        site_id: id,
        name: `${desc} Guests`,
        enabled: true,
        is_guest: true,
        security: 'open',
        wlan_band: 'both',
        hide_ssid: false,
      },
    ]);

  const showSelf: SiteCall = () =>
    envelope.ok([{ name: username, email: '', site_role: 'admin', is_super: true }]);

  return {
    self: { operation: 'self', respond: showSelf },
    'stat/sysinfo': { operation: 'sysinfo', respond: showSystem },
    'stat/voucher': { operation: 'list', respond: listVouchers },
    'stat/guest': { operation: 'guests', respond: listGuests },
    'rest/wlanconf': { operation: 'wlans', respond: listWlans },
    'cmd/hotspot create-voucher': { operation: 'create', respond: createVouchers },
    'cmd/hotspot delete-voucher': { operation: 'delete', respond: deleteVoucher },
    'cmd/hotspot extend': { operation: 'guest-command', respond: extendGuest },
    'cmd/hotspot terminate': { operation: 'guest-command', respond: terminateGuest },
    ...makeStationCommands(state, envelope),
  };
}
