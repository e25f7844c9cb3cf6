// The tables of the platform and of the kernel, each after the tables that it references.

import { tables as platform } from '../platform/database/tables/platform-tables.ts';
import { tables as audit } from './audit/audit-tables.ts';
import { tables as batches } from './batches/batch-tables.ts';
import { tables as instances } from './instances/instance-tables.ts';
import { tables as keys } from './keys/key-tables.ts';
import { tables as messages } from './messages/message-tables.ts';
import { tables as profiles } from './profiles/profile-tables.ts';
import { tables as sessions } from './sessions/session-tables.ts';
import { tables as images } from './settings/image-tables.ts';
import { tables as sites } from './sites/site-tables.ts';
import { tables as slips } from './slips/slip-tables.ts';
import { tables as stock } from './stock/stock-tables.ts';
import { tables as users } from './users/user-tables.ts';
import { tables as vouchers } from './vouchers/voucher-tables.ts';

export const tables = {
  ...platform,
  ...sites,
  ...users,
  ...sessions,
  ...keys,
  ...profiles,
  ...vouchers,
  ...messages,
  ...batches,
  ...audit,
  ...images,
  ...slips,
  ...stock,
  ...instances,
};
