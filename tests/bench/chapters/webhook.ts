import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { secretKey } from '../../../activities/providers/webhook';
import { newSecret, sealSecret } from '../../../db/investment/provider/provider-secret';
import { SealingConfig } from '../../../db/sealing/config';
import { readVariables } from '../../../db/sql/environment/variables';
import { checkoutProcess } from '../../../workflows/commerce/checkout/checkout.contract';
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

/** The time until a provider's report is acknowledged, against storing it only. */
export async function webhook({ stage, levels, pace }: Shop): Promise<Findings> {
  const { api, bare, postgres } = stage;
  const senders = [
    { measured: 'webhook', sender: sandbox(stage) },
    { measured: 'webhook of an investment provider', sender: await investmentProvider(stage) },
  ];
  const rows: Row[] = [];
  const facts: Findings['facts'] = [];
  for (const { measured, sender } of senders) {
    const kept: Row[] = [];
    for (const callers of levels) {
      const send = (ask: Client) => async (): Promise<undefined> => {
        await report(ask, sender, { type: 'payment.noted', data: {} });
      };
      const figures = await duel(
        {
          ours: { operation: send(api.ask), servers: { api: api.pid, PostgreSQL: postgres.pid } },
          bare: { operation: send(bare.ask), servers: { server: bare.pid, PostgreSQL: postgres.pid } },
        },
        callers,
        pace,
      );
      kept.push({ measured: `${measured}, kept`, callers, ...figures });
    }
    rows.push(...kept);
    facts.push({
      figure: `${measured} acknowledgement ÷ bare insert at ${levels.join(', ')} callers`,
      value: kept.map((row) => ratioOf(row).toFixed(2)).join(', '),
      target: '≥ 0.5',
    });
  }
  rows.push(...(await reportsApplied(stage, pace)));
  return { rows, facts };
}

/** The sender of reports, and their address. */
interface Sender {
  path: string;
  secret: Buffer;
}

const sandbox = ({ secrets }: Shop['stage']): Sender => ({
  path: '/payments/webhooks/sandbox',
  secret: secretKey(secrets.SANDBOX_SECRET),
});

/** A new investment provider without a limit that matters. */
async function investmentProvider({ postgres, secrets }: Shop['stage']): Promise<Sender> {
  const [code, secretId, secret] = [`bench-${randomUUID().slice(0, 8)}`, randomUUID(), newSecret('WEBHOOK')];
  const { SEALING_KEYS: keys } = readVariables(SealingConfig, secrets);
  await postgres.sql.query(
    `INSERT INTO investment_providers (code, name, webhooks_per_minute, created_at, updated_at)
     VALUES ($1, $1, 1000000, now(), now())`,
    [code],
  );
  await postgres.sql.query(
    `INSERT INTO investment_provider_secrets (id, provider_code, purpose, secret, created_at)
     VALUES ($1, $2, 'WEBHOOK', $3, now())`,
    [secretId, code, sealSecret(keys, secretId, secret)],
  );
  return { path: `/investment/webhooks/${code}`, secret: secretKey(secret) };
}

/** The cost of a report with the processes that it starts, by its type. */
async function reportsApplied(stage: Shop['stage'], pace: Shop['pace']): Promise<Row[]> {
  const { api, bare, worker, temporal, postgres } = stage;
  const sender = sandbox(stage);
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
      await report(ask, sender, { type: paymentReportType(outcome), data });
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
  { path, secret }: Sender,
  { type, data }: { type: string; data: object | undefined },
): Promise<void> {
  const [id, now] = [randomUUID(), new Date()];
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const body = JSON.stringify({ type, timestamp: now.toISOString(), data });
  const mac = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
  await ask({
    method: 'POST',
    path,
    headers: { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${mac}` },
    body,
  });
}
