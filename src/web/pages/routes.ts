// All pages of the web interface.

import type { Route } from '../http/route.ts';
import { accountRoutes } from './account/account.ts';
import { secondFactorRoutes } from './account/second-factor.ts';
import { themeRoutes } from './account/theme.ts';
import { apiDocsRoutes } from './api-docs/api-docs.ts';
import { auditRoutes } from './audit/audit.ts';
import { batchRoutes } from './batches/batch.ts';
import { batchListRoutes } from './batches/batches.ts';
import { reserveOfferRoutes } from './batches/reserve-offer.ts';
import { revokeUnusedRoutes } from './batches/revoke-unused.ts';
import { guideRoutes } from './guide/guide.ts';
import { healthRoutes } from './health/health.ts';
import { keyRoutes } from './keys/keys.ts';
import { forgottenPasswordRoutes } from './login/forgotten-password.ts';
import { invitationRoutes } from './login/invitation.ts';
import { loginRoutes } from './login/login.ts';
import { loginCodeRoutes } from './login/login-code.ts';
import { providerLoginRoutes } from './login/provider-login.ts';
import { withRecentPassword } from './login/recent-password.ts';
import { setupRoutes } from './login/setup.ts';
import { mailServerRoutes } from './mail-server/mail-server.ts';
import { mailRoutes } from './mails/mails.ts';
import { overviewRoutes } from './overview/overview.ts';
import { printJobRoutes } from './print-jobs/print-jobs.ts';
import { printerRoutes } from './printers/printers.ts';
import { profileRoutes } from './profiles/profiles.ts';
import { requestRoutes } from './requests/requests.ts';
import { siteRequestRoutes } from './requests/site-requests.ts';
import { screenRoutes } from './screen/screen.ts';
import { screenSettingsRoutes } from './screens/screens.ts';
import { logoRoutes } from './settings/logo.ts';
import { manifestRoutes } from './settings/manifest.ts';
import { publicUrlRoutes } from './settings/public-url.ts';
import { settingsRoutes } from './settings/settings.ts';
import { singleSignOnRoutes } from './single-sign-on/single-sign-on.ts';
import { siteConnectionRoutes } from './sites/change-connection.ts';
import { mailTextRoutes } from './sites/mail-texts.ts';
import { movedInRoutes } from './sites/moved-in-site.ts';
import { newSiteRoutes } from './sites/new-site.ts';
import { reserveRoutes } from './sites/reserve.ts';
import { siteRoutes } from './sites/sites.ts';
import { siteSlipRoutes } from './sites/slip.ts';
import { userSecondFactorRoutes } from './users/user-second-factor.ts';
import { userRoutes } from './users/users.ts';
import { bulkRevocationReportRoutes } from './vouchers/bulk-revocation-report.ts';
import { bulkRevocationRoutes } from './vouchers/confirm-bulk-revocation.ts';
import { exportRoutes } from './vouchers/export.ts';
import { failedOrderRoutes } from './vouchers/failed-orders.ts';
import { firstStepRoutes } from './vouchers/first-steps.ts';
import { guestLinkRoutes } from './vouchers/guest-link.ts';
import { guestViewRoutes } from './vouchers/guest-view.ts';
import { lostVoucherRoutes } from './vouchers/lost-vouchers.ts';
import { mailVoucherRoutes } from './vouchers/mail-voucher.ts';
import { newVoucherRoutes } from './vouchers/new-voucher.ts';
import { printRoutes } from './vouchers/print.ts';
import { replacementRoutes } from './vouchers/replacement.ts';
import { revokeRoutes } from './vouchers/revoke.ts';
import { voucherRoutes } from './vouchers/vouchers.ts';
import { deliveryRoutes } from './webhooks/deliveries.ts';
import { webhookRoutes } from './webhooks/webhooks.ts';

export const ROUTES: Route[] = [
  ...setupRoutes,
  ...invitationRoutes,
  ...loginRoutes,
  ...forgottenPasswordRoutes,
  ...providerLoginRoutes,
  ...loginCodeRoutes,
  ...newVoucherRoutes,
  ...failedOrderRoutes,
  ...firstStepRoutes,
  ...batchListRoutes,
  ...batchRoutes,
  ...reserveOfferRoutes,
  ...revokeUnusedRoutes,
  ...printRoutes,
  ...printJobRoutes,
  ...voucherRoutes,
  ...guestViewRoutes,
  ...guestLinkRoutes,
  ...mailVoucherRoutes,
  ...mailRoutes,
  ...revokeRoutes,
  ...bulkRevocationRoutes,
  ...lostVoucherRoutes,
  ...replacementRoutes,
  ...bulkRevocationReportRoutes,
  ...exportRoutes,
  ...requestRoutes,
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
  ...movedInRoutes,
  ...siteConnectionRoutes,
  ...siteRequestRoutes,
  ...siteSlipRoutes,
  ...reserveRoutes,
  ...mailTextRoutes,
  ...printerRoutes,
  ...screenRoutes,
  ...screenSettingsRoutes,
  ...keyRoutes,
  ...apiDocsRoutes,
  ...userRoutes,
  ...userSecondFactorRoutes,
  ...webhookRoutes,
  ...deliveryRoutes,
  ...auditRoutes,
  ...settingsRoutes,
  ...publicUrlRoutes,
  ...mailServerRoutes,
  ...singleSignOnRoutes,
  ...logoRoutes,
].map(withRecentPassword);
