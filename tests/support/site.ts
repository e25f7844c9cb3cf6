// A site for tests that need no database.

import { asSiteId } from '../../src/kernel/ids.ts';
import type { Site } from '../../src/kernel/sites/site.ts';

export const SITE: Site = {
  id: asSiteId(1),
  name: 'Haus A',
  active: true,
  controllerKind: 'simulator',
  controllerSite: 'default',
  connection: null,
  importsForeign: true,
  checkOut: '11:00',
  timeZone: null,
  hasGuestPage: false,
  replyTo: null,
};
