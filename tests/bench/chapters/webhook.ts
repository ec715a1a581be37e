import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { secretKey } from '../../../activities/providers/payments/sandbox/webhook';
import { checkoutProcess } from '../../../workflows/commerce/order/checkout.contract';
import { paymentReportType } from '../../../workflows/commerce/payment/payment-report.rules';
import type { Client } from '../client';
import { duel } from '../duel';
import { ratioOf, type Row } from '../row';
import type { Findings, Shop } from './chapter';

/** The pause between two reports that start a process each, so that the processes keep up. */
const BREATH_MS = 50;

const OUTCOMES = ['DECLINED', 'PAID'] as const;
/** More orders than one run reports. */
const MOST_ORDERS = 2_000;

/** The time until a payment provider's report is acknowledged, against storing it only. */
export async function webhook({ stage, levels, pace }: Shop): Promise<Findings> {
  const { api, bare, postgres } = stage;
  const secret = secretKey(stage.secrets.SANDBOX_SECRET);
  const rows: Row[] = [];
  for (const callers of levels) {
    const kept = (ask: Client) => async (): Promise<undefined> => {
      await report(ask, secret, { type: 'payment.noted', data: {} });
    };
    const figures = await duel(
      {
        ours: { operation: kept(api.ask), servers: { api: api.pid, PostgreSQL: postgres.pid } },
        bare: { operation: kept(bare.ask), servers: { server: bare.pid, PostgreSQL: postgres.pid } },
      },
      callers,
      pace,
    );
    rows.push({ measured: 'webhook, kept', callers, ...figures });
  }
  const ratios = rows.map((row) => ratioOf(row).toFixed(2)).join(', ');

  rows.push(...(await reportsApplied(stage, pace)));
  return {
    rows,
    facts: [
      {
        figure: `webhook acknowledgement ÷ bare insert at ${levels.join(', ')} callers`,
        value: ratios,
        target: '≥ 0.5',
      },
    ],
  };
}

/** The cost of a report with the processes that it starts, by its type. */
async function reportsApplied(stage: Shop['stage'], pace: Shop['pace']): Promise<Row[]> {
  const { api, bare, worker, temporal, postgres } = stage;
  const secret = secretKey(stage.secrets.SANDBOX_SECRET);
  const attempts = await openAttempts(stage);
  const rows: Row[] = [];
  const all = { api: api.pid, worker: worker.pid, Temporal: temporal.pid, PostgreSQL: postgres.pid };
  const share = Math.floor(attempts.length / OUTCOMES.length);
  for (const outcome of OUTCOMES) {
    const open = attempts.splice(0, share);
    // Each report is of another order: a second one would change nothing.
    const reported = (ask: Client, next: () => Attempt | undefined) => async (): Promise<number> => {
      await pause(BREATH_MS);
      const at = performance.now();
      const data = next();
      if (!data) throw new Error(`There are only ${share} open orders to report as ${outcome}.`);
      await report(ask, secret, { type: paymentReportType(outcome), data });
      return performance.now() - at;
    };
    const [first] = open;
    const applied = await duel(
      {
        ours: { operation: reported(api.ask, () => open.shift()), servers: all },
        bare: {
          operation: reported(bare.ask, () => first),
          servers: { server: bare.pid, PostgreSQL: postgres.pid },
        },
      },
      1,
      { ...pace, restMs: 500 },
    );
    rows.push({
      measured: `webhook ${outcome}, and applied after it (one every ${BREATH_MS} ms)`,
      callers: 1,
      ...applied,
    });
  }
  return rows;
}

interface Attempt {
  key: string;
  paymentId: string;
  amountMinor: number;
  currency: string;
}

/** Open payment attempts of orders with a process; orders of the other server have none. */
async function openAttempts({ postgres, temporal }: Shop['stage']): Promise<Attempt[]> {
  const orderIds: string[] = [];
  const query = `WorkflowType = '${checkoutProcess.type}' AND ExecutionStatus = 'Running'`;
  for await (const { workflowId } of temporal.client.workflow.list({ query })) {
    orderIds.push(workflowId.slice(workflowId.indexOf(':') + 1));
    if (orderIds.length === MOST_ORDERS) break;
  }
  const { rows } = await postgres.sql.query<Attempt>(
    `SELECT DISTINCT ON (order_id) id AS key, id::text AS "paymentId", amount_minor::int AS "amountMinor", currency
     FROM payment_attempts WHERE status = 'PENDING' AND order_id = ANY ($1::uuid[])
     ORDER BY order_id, created_at DESC`,
    [orderIds],
  );
  return rows;
}

async function report(
  ask: Client,
  secret: Buffer,
  { type, data }: { type: string; data: object | undefined },
): Promise<void> {
  const [id, now] = [randomUUID(), new Date()];
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const body = JSON.stringify({ type, timestamp: now.toISOString(), data });
  const mac = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
  await ask({
    method: 'POST',
    path: '/payments/webhooks/sandbox',
    headers: { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${mac}` },
    body,
  });
}
