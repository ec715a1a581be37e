import { reviewsBy, votesBy } from '../../../db/catalog/review/review-export.reads';
import { orderDetails } from '../../../db/commerce/order/order.reads';
import { refundRequestsOf } from '../../../db/commerce/refund/refund-request.reads';
import { trackingsOf } from '../../../db/commerce/shipment/tracking.reads';
import { addressesOf } from '../../../db/identity/address/address.reads';
import { exportedOrigins, exportedSessions } from '../../../db/identity/user/export.reads';
import { entriesOf } from '../../../db/ledger/ledger.reads';
import { endpoint, type Context } from '../../http/endpoint';
import { Gate } from '../../http/limits/gate';
import { authPerHour, perMinute } from '../../http/limits/limits';
import { showDetail } from '../../orders/order.view';
import { showTracking } from '../../orders/tracking.view';
import { accountView } from '../account.view';
import { addressView } from '../addresses/address.view';
import { entryView } from '../balance/entry.view';
import { ExportView, originsView, sessionExport } from './export.view';
import { accountGone, ownAccount } from '../own-account';
import { refundExport } from './refund-export.view';
import { helpfulExport, reviewExport } from './review-export.view';

/** An export holds all data of a user in memory, so one is made at a time. */
const gate = new Gate({ slots: 1, queueLength: 8, deadlineMs: 10_000 });

export const exportMe = endpoint({
  method: 'get',
  path: '/users/me/export',
  summary: 'Export my personal data',
  description: 'One JSON document, which browsers save as a file. Payout details are masked.',
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
  const reviews = await reviewsBy(db, caller.id);
  const votes = await votesBy(db, caller.id);
  const entries = await entriesOf(db, caller.id, null);
  return {
    exportedAt: at.toISOString(),
    account: accountView(account),
    ...originsView(origins),
    addresses: addresses.map(addressView),
    sessions: sessions.map(sessionExport),
    orders: orders.map((order) => showDetail(order, at, policy)),
    parcels: parcels.map(showTracking),
    refunds: refunds.map(refundExport),
    reviews: reviews.map(reviewExport),
    foundHelpful: votes.map(helpfulExport),
    entries: entries.map((entry) => ({ ...entryView(entry), account: entry.account })),
  };
}
