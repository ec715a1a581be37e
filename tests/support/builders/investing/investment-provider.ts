import { Webhook } from 'standardwebhooks';
import type supertest from 'supertest';
import { v7 } from 'uuid';
import { firstRow, type Db } from '../../../../db/sql/query';
import { eventually } from '../../checks/eventually';
import { make } from '../make';

interface Sent {
  /** The id of the report, and its signing time. */
  id?: string;
  at?: Date;
  /** When it happened; by default now. */
  timestamp?: string;
  by?: string;
}

interface Platform {
  db: Db;
  http: ReturnType<typeof supertest>;
}

/**
 * An investment provider as the other side of our API: it knows its secret and signs its reports with the library that
 * providers use.
 */
export async function investmentProvider(
  { db, http }: Platform,
  fields: { webhooksPerMinute?: number } = {},
) {
  const { code, webhookSecret } = await make.provider(db, fields);
  const path = `/api/v1/investment/webhooks/${code}`;

  const sendText = (text: string, { id = v7(), at = new Date(), by = webhookSecret }: Sent = {}) =>
    http
      .post(path)
      .set('content-type', 'application/json')
      .set('webhook-id', id)
      .set('webhook-timestamp', String(Math.floor(at.getTime() / 1000)))
      .set('webhook-signature', new Webhook(by).sign(id, at, text))
      .send(text);

  const stored = (id: string) =>
    firstRow<{ id: string; status: string; error: string | null; startedAt: Date | null; attempts: number }>(
      db,
      `SELECT id, status, last_error AS error, started_at, attempts FROM webhook_events
       WHERE provider = $1 AND external_event_id = $2 AND kind = 'INVESTMENT'`,
      [code, id],
    );

  return {
    code,
    path,
    secret: webhookSecret,
    sendText,
    send: (type: string, data: Record<string, unknown>, sent: Sent = {}) =>
      sendText(JSON.stringify({ type, timestamp: sent.timestamp ?? new Date().toISOString(), data }), sent),
    stored,
    /** Waits until the report is in this status. */
    becomes: (id: string, status: string) =>
      eventually(async () => {
        const event = await stored(id);
        if (event?.status !== status) throw new Error(`It is ${event?.status}: ${event?.error}.`);
        return event;
      }),
  };
}

export type InvestmentProvider = Awaited<ReturnType<typeof investmentProvider>>;
