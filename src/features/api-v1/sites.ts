// GET /sites and GET /sites/{id}: the active sites that the API key may use, with what can be ordered there.

import type { ApiKeyHandler } from '../../kernel/contract/with-api-key.ts';
import type { Bound } from '../../kernel/controllers/controller.ts';
import { type ControllerKind, findKind } from '../../kernel/controllers/controller-kind.ts';
import { asSiteId } from '../../kernel/ids.ts';
import { includesSite } from '../../kernel/keys/api-key.ts';
import { isFor, type Profile, type ProfileStore } from '../../kernel/profiles/profile.ts';
import type { Site, SiteStore } from '../../kernel/sites/site.ts';
import { checkOutOf } from '../../kernel/vouchers/nights.ts';
import { MAX_INTEGER } from '../../kernel/vouchers/voucher-order.ts';
import { jsonResponse } from '../../platform/http/handler.ts';
import { UNKNOWN } from '../../platform/values/unknown-value.ts';
import type { Printer, PrinterStore } from '../printers/printer.ts';
import { readId } from './path-parameters.ts';
import { presentLimits } from './present.ts';
import { problemResponse } from './problems.ts';
import type * as responses from './responses.ts';

export interface SiteDeps {
  sites: Pick<SiteStore, 'listActive' | 'findActive'>;
  profiles: Pick<ProfileStore, 'list'>;
  printers: Pick<PrinterStore, 'list'>;
  kinds: readonly ControllerKind[];
  /** The time zone of sites that have none of their own. */
  timeZone: string;
}

export function makeSitesHandlers(deps: SiteDeps): Record<'list' | 'one', ApiKeyHandler> {
  const { sites, profiles, printers } = deps;
  return {
    list: {
      GET: {
        scope: 'read',
        async run(_request, apiKey) {
          const [active, offered] = await Promise.all([sites.listActive(), readOffered()]);
          const shown = active.filter(({ id }) => includesSite(apiKey.sites, id));
          const list: responses.SiteList = { sites: shown.map((site) => presentSite(site, offered, deps)) };
          return jsonResponse(200, list);
        },
      },
    },
    one: {
      GET: {
        scope: 'read',
        async run(request, apiKey) {
          const id = readId(request);
          const isAllowed = id !== undefined && includesSite(apiKey.sites, asSiteId(id));
          const site = isAllowed ? await sites.findActive(asSiteId(id)) : undefined;
          if (!site) return problemResponse({ kind: 'site-not-found' }, request);
          return jsonResponse(200, presentSite(site, await readOffered(), deps));
        },
      },
    },
  };

  async function readOffered(): Promise<Offered> {
    const [allProfiles, allPrinters] = await Promise.all([profiles.list(), printers.list()]);
    return { profiles: allProfiles, printers: allPrinters.filter(({ kind }) => kind !== UNKNOWN) };
  }
}

/** Of all sites. */
interface Offered {
  profiles: Profile[];
  printers: Printer[];
}

function presentSite(site: Site, offered: Offered, { kinds, timeZone }: SiteDeps): responses.Site {
  const local = checkOutOf(site, timeZone);
  const { maxUses, expireMinutes, downKbps, upKbps, quotaMb } =
    findKind(kinds, site.controllerKind)?.bounds ?? {};
  const range = ({ min = 1, max }: Bound = { max: MAX_INTEGER }) => ({ min, max });
  return {
    id: site.id,
    name: site.name,
    time_zone: local.timeZone,
    check_out: local.checkOut,
    controller: site.controllerKind,
    profiles: offered.profiles.filter((profile) => isFor(profile, [site.id])).map(presentProfile),
    printers: offered.printers
      .filter(({ siteId }) => siteId === site.id)
      .map(({ id, name }) => ({ id, name })),
    limits: {
      devices: range(maxUses),
      minutes: range(expireMinutes),
      down_kbps: range(downKbps),
      up_kbps: range(upKbps),
      data_mb: range(quotaMb),
    },
  };
}

function presentProfile(profile: Profile): responses.Site['profiles'][number] {
  const { id, name, maxUses, expireMinutes, nights } = profile;
  return {
    id,
    name,
    devices: maxUses,
    minutes: nights === undefined ? expireMinutes : null,
    nights: nights ?? null,
    ...presentLimits(profile),
  };
}
