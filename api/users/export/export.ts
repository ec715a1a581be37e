import { reviewsBy, votesBy } from '../../../db/catalog/review/review-export.reads';
import { orderDetails } from '../../../db/commerce/order/order.reads';
import { refundRequestsOf } from '../../../db/commerce/refund/refund-request.reads';
import { strayRefundsOf } from '../../../db/commerce/refund/stray-refund.reads';
import { trackingsOf } from '../../../db/commerce/shipment/tracking.reads';
import { payoutsOf } from '../../../db/commerce/payout/payout.reads';
import { addressesOf } from '../../../db/identity/address/address.reads';
import { exportedOrigins, exportedSessions } from '../../../db/identity/export/export.reads';
import { heldDocuments } from '../../../db/kyc/document/held-document.reads';
import { kycHistory } from '../../../db/kyc/history/history.reads';
import { verificationsBy } from '../../../db/kyc/verification/verification-export.reads';
import { endpoint } from '../../http/endpoint';
import type { Context } from '../../http/handler-context';
import { Gate } from '../../http/limits/gate';
import { authPerHour, perMinute } from '../../http/limits/limits';
import { orderDetailView } from '../../orders/order-detail.view';
import { openedPersonalInfo, openedRequest, withFileNames } from '../../kyc/opened';
import { openedProviderReports } from '../../kyc/provider-report.view';
import { trackingView } from '../../orders/tracking.view';
import { accountView } from '../account.view';
import { addressView } from '../addresses/address.view';
import { entriesExport } from './entries-export';
import { ExportView, originsView, sessionExport } from './export.view';
import { accountGone, ownAccount } from '../own-account';
import { membershipExport } from './membership/membership-export';
import { investmentsExport } from './investments-export';
import { kycExport } from './kyc-export.view';
import { participationRefundExport } from './stray-refund-export.view';
import { payoutExport } from './money/payout-export.view';
import { refundExport } from './refund-export.view';
import { helpfulExport, reviewExport } from './review-export.view';
import { topUpsExport } from './money/top-ups-export';

/** An export is held in memory, so one is made at a time. */
const gate = new Gate({ slots: 1, queueLength: 8, deadlineMs: 10_000 });

/** The most events of a verification by its user, and the most by others. */
const MOST_EVENTS = 200;
/** No more reports of providers are stored of a user. */
const MOST_REPORTS = 100;

export const exportMe = endpoint({
  id: 'exportAccount',
  returns: 'Everything that is stored about the caller',
  method: 'get',
  path: '/users/me/export',
  summary: 'Export my personal data',
  description:
    'One JSON document, which browsers save as a file. Payout details are masked. Of identity documents it has the description; an administrator sends their files on request.',
  tag: 'Account',
  auth: 'user',
  limit: { ...perMinute(100), also: authPerHour(5) },

  success: 200,
  data: ExportView,
  errors: {},

  async handle(_request, context) {
    const at = new Date();
    const data = await gate.through(() => exportOf(context, at), context.request.clientGone);
    context.reply.download(`account-${at.toISOString().slice(0, 10)}.json`);
    return data;
  },
});

async function exportOf(context: Context<'user'>, at: Date) {
  const { caller, db, policy } = context;
  const account = await ownAccount(context);
  const origins = await exportedOrigins(db, caller.id);
  if (!origins) throw accountGone();
  const addresses = await addressesOf(db, caller.id);
  const sessions = await exportedSessions(db, caller.id);
  const orders = await orderDetails(db, caller.id);
  const parcels = await trackingsOf(db, caller.id);
  const refunds = await refundRequestsOf(db, caller.id);
  const returned = await strayRefundsOf(db, caller.id, 'participationId');
  const reviews = await reviewsBy(db, caller.id);
  const votes = await votesBy(db, caller.id);
  const investments = await investmentsExport(db, caller.id, at);
  const payouts = await payoutsOf(db, caller.id);
  const membership = await membershipExport(context);
  const entries = await entriesExport(db, caller.id);
  return {
    exportedAt: at.toISOString(),
    account: accountView(account),
    ...originsView(origins),
    ...membership,
    addresses: addresses.map(addressView),
    sessions: sessions.map(sessionExport),
    orders: orders.map((order) => orderDetailView(order, at, policy)),
    parcels: parcels.map(trackingView),
    refunds: refunds.map(refundExport),
    participationRefunds: returned.map(participationRefundExport),
    reviews: reviews.map(reviewExport),
    foundHelpful: votes.map(helpfulExport),
    ...investments,
    payouts: payouts.map(payoutExport),
    ...(await topUpsExport(db, caller.id, at)),
    identityVerifications: await verificationsOf(context),
    providerReports: await openedProviderReports(caller.id, MOST_REPORTS, context),
    ...entries,
  };
}

async function verificationsOf(context: Context<'user'>) {
  const { caller, db } = context;
  const exported = [];
  for (const verification of await verificationsBy(db, caller.id)) {
    // Null also where a key is lost, which must not cost the user the rest.
    const personalInfo = openedPersonalInfo(verification, context);
    const documents = withFileNames(await heldDocuments(db, verification.id), context);
    const events = await kycHistory(db, verification.id, MOST_EVENTS);
    const requested = openedRequest(verification, context);
    exported.push(kycExport({ verification, personalInfo, requested, documents, events }));
  }
  return exported;
}
