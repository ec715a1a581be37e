import { z } from 'zod';
import { internalNotesOf } from '../../../../db/commerce/order-administration/internal-note.reads';
import { accountHolder } from '../../../../db/identity/user-administration/account-holder.reads';
import { orderDetail } from '../../../../db/commerce/order/order.reads';
import { trackingOf } from '../../../../db/commerce/shipment/tracking.reads';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { orderReference } from '../../../http/request/ids/references';
import { orderDetailView } from '../../../orders/order-detail.view';
import { noSuchOrder } from '../../../orders/own-order';
import { administeredRefundView } from '../../../orders/refund/order-refund.view';
import { trackingView } from '../../../orders/tracking.view';
import { AdminOrderDetail, internalNoteView, orderUserView } from './order-detail.view';
import { orderProcesses } from './order-processes';
import { requireOrder } from '../require-order';

export const showAnyOrder = endpoint({
  id: 'getAnyOrder',
  returns: 'The order, its buyer, internal notes and processes',
  method: 'get',
  path: '/admin/orders/:id',
  summary: 'Show an order of any user',
  description:
    'As its buyer sees it, with every reason of a refund, the buyer, the parcel, the internal notes, and its processes and where they stand.',
  tag: 'Administration: orders',
  auth: 'admin',
  limit: perMinute(200),

  params: z.object({ id: orderReference() }),
  success: 200,
  data: AdminOrderDetail,
  errors: { ORDER_NOT_FOUND: 404 },

  async handle({ params: { id } }, { db, policy, processes }) {
    const { userId } = await requireOrder(db, id);
    const [order, user, parcel, notes, standing] = await Promise.all([
      orderDetail(db, userId, id),
      accountHolder(db, userId),
      trackingOf(db, userId, id),
      internalNotesOf(db, id),
      orderProcesses(db, processes, id),
    ]);
    if (!order || !parcel) throw noSuchOrder();
    const { trackingNumber, trackingUrl, shippedAt, deliveredAt, events } = trackingView(parcel);
    return {
      ...orderDetailView(order, new Date(), policy),
      refunds: order.refunds.newest.map((refund) => administeredRefundView(refund, order.currency)),
      user: orderUserView(user),
      parcel: { trackingNumber, trackingUrl, shippedAt, deliveredAt, events },
      internalNotes: notes.map(internalNoteView),
      processes: standing,
    };
  },
});
