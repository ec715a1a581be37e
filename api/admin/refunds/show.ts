import { z } from 'zod';
import { refundProgress } from '../../../db/commerce/refund/administered-request.reads';
import { paymentRefundsOfRequest } from '../../../db/commerce/refund/payment-refund.reads';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { AdminRefundDetail, adminRefundDetailView } from './refund-detail.view';
import { noSuchRefund, oneRefund } from './refund.view';
import { idOf } from '../../http/request/ids/id-of';

export const showRefund = endpoint({
  id: 'getRefund',
  returns: 'The refund request',
  method: 'get',
  path: '/admin/refunds/:id',
  summary: 'Show a refund request',
  description: 'With the decision, and the money that is sent back for it.',
  tag: 'Administration: refunds',
  auth: 'admin',
  limit: perMinute(200),

  params: z.object({ id: idOf('refund') }),
  success: 200,
  data: AdminRefundDetail,
  errors: { REFUND_NOT_FOUND: 404 },

  async handle({ params: { id } }, { db }) {
    const [request, progress, payments] = await Promise.all([
      oneRefund(db, id),
      refundProgress(db, id),
      paymentRefundsOfRequest(db, id),
    ]);
    if (!progress) throw noSuchRefund();
    return adminRefundDetailView(request, progress, payments);
  },
});
