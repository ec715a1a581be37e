import { exportPage, showPage } from './endpoints';
import { investmentsPage } from './investments';
import { kycPage } from './kyc';
import { overviewPage } from './overview';
import { partnersPage } from './partners';
import { payoutsPage } from './payouts';
import { salesPage } from './sales';

/** Figures of the business. */
export const analyticsEndpoints = [
  overviewPage,
  salesPage,
  investmentsPage,
  partnersPage,
  payoutsPage,
  kycPage,
].flatMap((page) => [showPage(page), exportPage(page)]);
