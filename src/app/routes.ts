// All pages of the web interface.

import { FEATURES } from '../features.ts';
import { auditRoutes } from '../kernel/audit/pages/audit.ts';
import { batchRoutes } from '../kernel/batches/pages/batch.ts';
import { batchListRoutes } from '../kernel/batches/pages/batches.ts';
import { revokeUnusedRoutes } from '../kernel/batches/pages/revoke-unused.ts';
import { healthRoutes } from '../kernel/health/pages/health.ts';
import { keyRoutes } from '../kernel/keys/pages/keys.ts';
import { overviewRoutes } from '../kernel/overview/pages/overview.ts';
import type { Route } from '../kernel/pages/route.ts';
import { profileRoutes } from '../kernel/profiles/profile-pages.ts';
import { forgottenPasswordRoutes } from '../kernel/sessions/pages/forgotten-password.ts';
import { invitationRoutes } from '../kernel/sessions/pages/invitation.ts';
import { loginRoutes } from '../kernel/sessions/pages/login.ts';
import { loginCodeRoutes } from '../kernel/sessions/pages/login-code.ts';
import { withRecentPassword } from '../kernel/sessions/pages/recent-password.ts';
import { setupRoutes } from '../kernel/sessions/pages/setup.ts';
import { guideRoutes } from '../kernel/settings/guide/guide.ts';
import { logoRoutes } from '../kernel/settings/pages/logo.ts';
import { manifestRoutes } from '../kernel/settings/pages/manifest.ts';
import { publicUrlRoutes } from '../kernel/settings/pages/public-url.ts';
import { settingsRoutes } from '../kernel/settings/pages/settings.ts';
import { siteConnectionRoutes } from '../kernel/sites/pages/change-connection.ts';
import { newSiteRoutes } from '../kernel/sites/pages/new-site.ts';
import { siteRoutes } from '../kernel/sites/pages/sites.ts';
import { printRoutes } from '../kernel/slips/pages/print.ts';
import { siteSlipRoutes } from '../kernel/slips/pages/slip.ts';
import { accountRoutes } from '../kernel/users/account/account.ts';
import { secondFactorRoutes } from '../kernel/users/account/second-factor.ts';
import { themeRoutes } from '../kernel/users/account/theme.ts';
import { userSecondFactorRoutes } from '../kernel/users/pages/user-second-factor.ts';
import { userRoutes } from '../kernel/users/pages/users.ts';
import { bulkRevocationReportRoutes } from '../kernel/vouchers/pages/bulk-revocation-report.ts';
import { bulkRevocationRoutes } from '../kernel/vouchers/pages/confirm-bulk-revocation.ts';
import { exportRoutes } from '../kernel/vouchers/pages/export.ts';
import { failedOrderRoutes } from '../kernel/vouchers/pages/failed-orders.ts';
import { firstStepRoutes } from '../kernel/vouchers/pages/first-steps.ts';
import { guestViewRoutes } from '../kernel/vouchers/pages/guest-view.ts';
import { lostVoucherRoutes } from '../kernel/vouchers/pages/lost-vouchers.ts';
import { newVoucherRoutes } from '../kernel/vouchers/pages/new-voucher.ts';
import { replacementRoutes } from '../kernel/vouchers/pages/replacement.ts';
import { revokeRoutes } from '../kernel/vouchers/pages/revoke.ts';
import { voucherRoutes } from '../kernel/vouchers/pages/vouchers.ts';

export const FEATURE_PAGES = (await Promise.all(FEATURES.map(({ pages }) => pages?.()))).flatMap(
  (pages) => pages ?? [],
);

export const ROUTES: Route[] = [
  ...setupRoutes,
  ...invitationRoutes,
  ...loginRoutes,
  ...forgottenPasswordRoutes,
  ...loginCodeRoutes,
  ...newVoucherRoutes,
  ...failedOrderRoutes,
  ...firstStepRoutes,
  ...batchListRoutes,
  ...batchRoutes,
  ...revokeUnusedRoutes,
  ...printRoutes,
  ...voucherRoutes,
  ...guestViewRoutes,
  ...revokeRoutes,
  ...bulkRevocationRoutes,
  ...lostVoucherRoutes,
  ...replacementRoutes,
  ...bulkRevocationReportRoutes,
  ...exportRoutes,
  ...profileRoutes,
  ...overviewRoutes,
  ...guideRoutes,
  ...healthRoutes,
  ...accountRoutes,
  ...themeRoutes,
  ...manifestRoutes,
  ...secondFactorRoutes,
  ...siteRoutes,
  ...newSiteRoutes,
  ...siteConnectionRoutes,
  ...siteSlipRoutes,
  ...keyRoutes,
  ...userRoutes,
  ...userSecondFactorRoutes,
  ...auditRoutes,
  ...settingsRoutes,
  ...publicUrlRoutes,
  ...FEATURE_PAGES.flatMap(({ routes }) => routes),
  ...logoRoutes,
].map(withRecentPassword);
