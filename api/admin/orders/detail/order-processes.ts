import {
  orderProcessKeys,
  unfinishedReports,
} from '../../../../db/commerce/order-administration/order-processes.reads';
import type { Db } from '../../../../db/sql/query';
import { checkoutProcess } from '../../../../workflows/commerce/checkout/checkout.contract';
import { fulfilmentProcess } from '../../../../workflows/commerce/fulfilment/fulfilment.contract';
import { bankTransferProcess } from '../../../../workflows/commerce/payment-event/bank-transfer.contract';
import { paymentEventProcess } from '../../../../workflows/commerce/payment-event/payment-event.contract';
import { paymentRefundProcess } from '../../../../workflows/commerce/refund/payment-refund.contract';
import { refundRequestProcess } from '../../../../workflows/commerce/refund/refund-request.contract';
import { searchAttributes } from '../../../../workflows/kit/search-attributes';
import type { Processes } from '../../../http/temporal/temporal';
import { DEADLINE_MS, describedAmong, standingOf, type ProcessStanding } from '../../process-standing';
import { stretched } from '../../../../workflows/kit/limits/slowness';

/** The newest of each kind that are shown; an order has one checkout and one fulfilment. */
const MOST_OF_A_KIND = 10;

/**
 * The processes of an order that Temporal still knows: checkout and fulfilment, then refund requests, refunds, bank
 * transfers and reports on its payments, the newest first. Null if Temporal does not answer in time, for the order must
 * be seen in any case.
 */
export async function orderProcesses(
  db: Db,
  processes: Processes,
  orderId: string,
): Promise<ProcessStanding[] | null> {
  const { refundRequestIds, refundIds, transferIds } = await orderProcessKeys(db, orderId, MOST_OF_A_KIND);
  const ids = [
    checkoutProcess.id({ orderId }),
    fulfilmentProcess.id({ orderId }),
    ...refundRequestIds.map((refundRequestId) => refundRequestProcess.id({ refundRequestId })),
    ...refundIds.map((refundId) => paymentRefundProcess.id({ refundId })),
    ...transferIds.map((captureId) => bankTransferProcess.id({ captureId })),
  ];
  const [own, reports] = await Promise.all([
    describedAmong(processes, ids),
    reportProcesses(db, processes, orderId),
  ]);
  const ofReports = own && (await describedAmong(processes, reports));
  return ofReports && standingOf(db, processes, [...own, ...ofReports]);
}

/**
 * The ids of reports on the order's payments: unfinished ones, which the database finds, then the newest that had an
 * effect, which their processes name the order of.
 */
async function reportProcesses(db: Db, processes: Processes, orderId: string): Promise<string[]> {
  const [unfinished, applied] = await Promise.all([
    unfinishedReports(db, orderId, MOST_OF_A_KIND),
    processes.read(stretched(DEADLINE_MS), async (workflows) => {
      const ids: string[] = [];
      const query = `WorkflowType = '${paymentEventProcess.type}' AND ${searchAttributes.orderId.name} = '${orderId}'`;
      for await (const { workflowId } of workflows.list({ query, pageSize: MOST_OF_A_KIND })) {
        ids.push(workflowId);
        if (ids.length === MOST_OF_A_KIND) break;
      }
      return ids;
    }),
  ]);
  const waiting = unfinished.map((report) => paymentEventProcess.id(report));
  return [...new Set([...waiting, ...(applied ?? [])])].slice(0, MOST_OF_A_KIND);
}
