import { createHmac } from 'node:crypto';
import { rows, type Db } from '../../../db/sql/query';
import {
  paymentReportType,
  type PaymentOutcome,
  type PaymentReportBody,
} from '../../../workflows/commerce/payment/payment-report.rules';
import { testVariables } from '../../support/worlds/variables';
import { sendOnce, type Answer } from './client';

const secret = Buffer.from((testVariables['SANDBOX_SECRET'] ?? '').replace(/^whsec_/, ''), 'base64');

/** Sends a report as the sandbox does, by default with a valid signature. */
export function report(port: number, id: string, body: string, { signed = true } = {}): Promise<Answer> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', signed ? secret : 'somebody else').update(
    `${id}.${timestamp}.${body}`,
  );
  return sendOnce(port, {
    method: 'POST',
    path: '/api/v1/payments/webhooks/sandbox',
    body: Buffer.from(body),
    headers: {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature.digest('base64')}`,
    },
  });
}

export interface SandboxReport {
  id: string;
  body: string;
}

interface Payment {
  eventId: string;
  status: PaymentOutcome;
  at: Date;
  key: string;
  paymentId: string;
  amountMinor: number;
  currency: string;
}

/** The sandbox's reports since then, newest first, in exactly the bytes that it sends. */
export async function sandboxReports(db: Db, since: Date): Promise<SandboxReport[]> {
  const payments = await rows<Payment>(
    db,
    `SELECT e.id AS event_id, p.status, p.created_at AS at, p.payment_key AS key, p.id AS payment_id,
        p.amount_minor, p.currency
       FROM sandbox_events e JOIN sandbox_payments p ON p.id = e.payment_id
      WHERE e.created_at >= $1 AND p.created_at <= now() ORDER BY e.id DESC`,
    [since],
  );
  return payments.map(({ eventId, ...payment }) => ({ id: eventId, body: bodyOf(payment) }));
}

/** A report's bytes. */
export function bodyOf({ status, at, ...data }: Omit<Payment, 'eventId'>): string {
  const { key, paymentId, amountMinor, currency } = data;
  const body: PaymentReportBody = {
    type: paymentReportType(status),
    timestamp: at.toISOString(),
    data: { key, paymentId, amountMinor, currency },
  };
  return JSON.stringify(body);
}
