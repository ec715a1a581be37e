import { z } from 'zod';
import { trackingOf } from '../../db/commerce/shipment/tracking.reads';
import { refusal } from '../../workflows/errors';
import { endpoint } from '../http/endpoint';
import { orderReference } from '../http/request/ids/references';
import { perMinute } from '../http/limits/limits';
import { noSuchOrder } from './own-order';
import { trackingView, Tracking } from './tracking.view';

export const trackOrder = endpoint({
  id: 'trackOrder',
  returns: 'The parcel and its journey so far',
  method: 'get',
  path: '/orders/:id/tracking',
  summary: 'Follow the parcel of one of your orders',
  description:
    'From the time the parcel leaves. A shipped parcel can be followed whatever the later status of the order.',
  tag: 'Orders',
  auth: 'user',
  limit: perMinute(100),

  params: z.object({ id: orderReference('SHIPPED', 'DELIVERED') }),
  success: 200,
  data: Tracking,
  errors: { ORDER_NOT_FOUND: 404, NOT_SHIPPED: 400 },

  async handle({ params: { id } }, { db, caller }) {
    const tracking = await trackingOf(db, caller.id, id);
    if (!tracking) throw noSuchOrder();
    if (tracking.shippedAt === null)
      throw refusal('NOT_SHIPPED', `This order is ${tracking.status} and has not been shipped yet.`);
    return trackingView(tracking);
  },
});
