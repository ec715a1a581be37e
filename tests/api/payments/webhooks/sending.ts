import { isUtf8 } from 'node:buffer';
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import request from 'supertest';
import { v7 } from 'uuid';
import { rows } from '../../../../db/sql/query';
import { eventually } from '../../../support/checks/eventually';
import { makeSecret, type ownPaymentServer } from '../payment-server';

export const [current, coming] = [makeSecret(), makeSecret()];

export const report = {
  type: 'payment.paid',
  timestamp: '2026-03-01T12:00:00.000Z',
  data: { key: v7(), amountMinor: 1 },
};

interface Sent {
  id?: string;
  body?: string | Buffer;
  by?: string;
  at?: Date;
  headers?: Record<string, string>;
}

type Server = ReturnType<typeof ownPaymentServer>;

/** Sends reports as a provider would, signed by the library that providers use, and looks at what became of them. */
export function sendingTo(server: Server) {
  const storedAs = (externalEventId: string) =>
    rows<Row>(
      server.db,
      `SELECT id, type, body, body_hash, status, started_at
         FROM webhook_events WHERE provider = 'sandbox' AND external_event_id = $1`,
      [externalEventId],
    );
  return {
    send: ({
      id = v7(),
      body = JSON.stringify(report),
      by = current,
      at = new Date(),
      headers = {},
    }: Sent = {}) => {
      const bytes = Buffer.from(body);
      return request(server.url)
        .post('/api/v1/payments/webhooks/sandbox')
        .set('content-type', 'application/json')
        .set('webhook-id', id)
        .set('webhook-timestamp', String(Math.floor(at.getTime() / 1000)))
        .set('webhook-signature', signature(id, at, bytes, by))
        .set(headers)
        .serialize((sent: unknown) => sent as string)
        .send(bytes);
    },

    storedAs,

    /** The stored report, once its process was started. */
    started: (externalEventId: string) =>
      eventually(async () => {
        const [row] = await storedAs(externalEventId);
        if (!row?.startedAt) throw new Error('It was not started.');
        return row;
      }),
  };
}

interface Row {
  id: string;
  type: string;
  body: string;
  bodyHash: string;
  status: string;
  startedAt: Date | null;
}

/** The library signs texts only; for what is none, the same by hand. */
function signature(id: string, at: Date, bytes: Buffer, by: string): string {
  if (isUtf8(bytes)) return new Webhook(by).sign(id, at, bytes);
  const mac = createHmac('sha256', Buffer.from(by.replace('whsec_', ''), 'base64'));
  return `v1,${mac
    .update(`${id}.${Math.floor(at.getTime() / 1000)}.`)
    .update(bytes)
    .digest('base64')}`;
}
