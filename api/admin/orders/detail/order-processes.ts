import { WorkflowNotFoundError, type WorkflowExecutionDescription } from '@temporalio/client';
import { z } from 'zod';
import { parkedAmong } from '../../../../db/administration/operations/parking.reads';
import {
  orderProcessKeys,
  unfinishedReports,
} from '../../../../db/commerce/order-administration/order-processes.reads';
import type { Db } from '../../../../db/sql/query';
import { checkoutProcess } from '../../../../workflows/commerce/order/checkout.contract';
import { fulfilmentProcess } from '../../../../workflows/commerce/order/fulfilment.contract';
import { bankTransferProcess } from '../../../../workflows/commerce/payment/bank-transfer.contract';
import { paymentEventProcess } from '../../../../workflows/commerce/payment/payment-event.contract';
import { paymentRefundProcess } from '../../../../workflows/commerce/refund/payment-refund.contract';
import { refundRequestProcess } from '../../../../workflows/commerce/refund/refund-request.contract';
import { searchAttributes } from '../../../../workflows/kit/search-attributes';
import type { Processes } from '../../../http/temporal/temporal';

/** The newest of each kind that are shown; an order has one checkout and one fulfilment. */
const MOST_OF_A_KIND = 10;
/** An administrator sees the order after this time, with or without its processes. */
const DEADLINE_MS = 2_000;
/** A process says what it waits for only while a worker answers for it, so this wait is shorter. */
const WORDS_DEADLINE_MS = 1_000;

const ENDED = ['COMPLETED', 'FAILED', 'CANCELLED', 'TERMINATED', 'TIMED_OUT'] as const;

export const OrderProcess = z
  .object({
    workflowId: z.string(),
    type: z.string(),
    status: z.enum(['RUNNING', 'RETRYING', 'PARKED', ...ENDED]).meta({
      description:
        'RETRYING: a step failed and is being tried again. PARKED: it waits for a person. See GET /admin/operations.',
    }),
    waitsFor: z
      .string()
      .nullable()
      .meta({ description: 'What it waits for, in its own words, if it says so.' }),
    since: z.iso.datetime().nullable().meta({ description: 'Since when it is parked.' }),
    startedAt: z.iso.datetime(),
    closedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'OrderProcess', description: 'A process of an order, and where it stands.' });
type OrderProcess = z.output<typeof OrderProcess>;

/**
 * The processes of an order that Temporal still knows: checkout and fulfilment, then refund requests, refunds, bank
 * transfers and reports on its payments, the newest first. Null if Temporal does not answer in time, for the order must
 * be seen in any case.
 */
export async function orderProcesses(
  db: Db,
  processes: Processes,
  orderId: string,
): Promise<OrderProcess[] | null> {
  const { refundRequestIds, refundIds, transferIds } = await orderProcessKeys(db, orderId, MOST_OF_A_KIND);
  const ids = [
    checkoutProcess.id({ orderId }),
    fulfilmentProcess.id({ orderId }),
    ...refundRequestIds.map((refundRequestId) => refundRequestProcess.id({ refundRequestId })),
    ...refundIds.map((refundId) => paymentRefundProcess.id({ refundId })),
    ...transferIds.map((captureId) => bankTransferProcess.id({ captureId })),
  ];
  const describeAll = (all: string[]) => Promise.all(all.map((id) => described(processes, id)));
  const [own, reports] = await Promise.all([describeAll(ids), reportProcesses(db, processes, orderId)]);
  if (own.includes(null)) return null;
  const known = [...own, ...(await describeAll(reports))];
  if (known.includes(null)) return null;
  const entries = await parkedAmong(db, [...ids, ...reports]);
  const parked = new Map(entries.map((entry) => [entry.workflowId, entry]));
  return Promise.all(
    known
      .filter((process) => process !== null && process !== 'UNKNOWN')
      .map(async (process): Promise<OrderProcess> => {
        const entry = process.status.name === 'RUNNING' ? parked.get(process.workflowId) : undefined;
        return {
          workflowId: process.workflowId,
          type: process.type,
          status: entry?.state ?? statusOf(process),
          waitsFor: (entry?.state === 'PARKED' ? entry.reason : null) ?? (await ownWords(processes, process)),
          since: entry?.since.toISOString() ?? null,
          startedAt: process.startTime.toISOString(),
          closedAt: process.closeTime?.toISOString() ?? null,
        };
      }),
  );
}

/**
 * The ids of reports on the order's payments: unfinished ones, which the database finds, then the newest that had an
 * effect, which their processes name the order of.
 */
async function reportProcesses(db: Db, processes: Processes, orderId: string): Promise<string[]> {
  const [unfinished, applied] = await Promise.all([
    unfinishedReports(db, orderId, MOST_OF_A_KIND),
    processes.read(DEADLINE_MS, async (workflows) => {
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

/** The latest run under an id; UNKNOWN when there never was one, or it ended long ago; null when Temporal is away. */
const described = (
  processes: Processes,
  workflowId: string,
): Promise<WorkflowExecutionDescription | 'UNKNOWN' | null> =>
  processes.read(DEADLINE_MS, async (workflows) => {
    try {
      return await workflows.getHandle(workflowId).describe();
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return 'UNKNOWN';
      throw error;
    }
  });

function statusOf({ status, raw }: WorkflowExecutionDescription): OrderProcess['status'] {
  const ended = ENDED.find((name) => name === status.name);
  if (ended) return ended;
  const isTriedAgain = raw.pendingActivities?.some(({ attempt }) => (attempt ?? 1) > 1) ?? false;
  return isTriedAgain ? 'RETRYING' : 'RUNNING';
}

/** The words of a running process for what it waits for; null if it has none, or no worker answers for it in time. */
async function ownWords(
  processes: Processes,
  { workflowId, runId, status }: WorkflowExecutionDescription,
): Promise<string | null> {
  if (status.name !== 'RUNNING') return null;
  const said = await processes.read(WORDS_DEADLINE_MS, async (workflows) => {
    try {
      const handle = workflows.getHandle(workflowId, runId);
      return await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
    } catch {
      return null; // It may have ended since, or be one that its worker cannot answer for.
    }
  });
  return said?.currentDetails ?? null;
}
