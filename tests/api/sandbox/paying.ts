import request from 'supertest';
import { v7 } from 'uuid';
import { sandboxPaymentUrl } from '../../../activities/providers/payments/sandbox/sandbox-link';
import { rows } from '../../../db/sql/query';
import { makeSecret, type ownPaymentServer } from '../payments/payment-server';

export const [current, coming] = [makeSecret(), makeSecret()];

const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();
export const anHourAgo = (): string => new Date(Date.now() - 3_600_000).toISOString();

interface PaymentOptions {
  amountMinor?: number;
  description?: string;
  expiresAt?: string;
}

export interface Link {
  key: string;
  path: string;
  search: string;
}

export interface Entry {
  status: string;
  type: string;
  delayMs: number;
  eventId: string;
  paymentId: string;
}

/** The sandbox's page as a browser without a screen sees it, and its records. */
export function payerAt(server: ReturnType<typeof ownPaymentServer>) {
  const press = ({ path, search }: Link, button: string) =>
    request(server.url).post(`${path}/${button}${search}`);
  return {
    /** A link as the driver gives it out. */
    link: (change: PaymentOptions = {}, by = current): Link => {
      const command = {
        method: 'CARD',
        amountMinor: 4_999,
        currency: 'USD',
        description: 'Order 7',
        expiresAt: inAnHour(),
      };
      const key = v7();
      const url = new URL(sandboxPaymentUrl(server.url, by, { key, ...command, ...change }));
      return { key, path: url.pathname, search: url.search };
    },

    show: ({ path, search }: Link) => request(server.url).get(path + search),

    press,

    /** Presses a button as a browser does, and answers the heading of the page it ends on. */
    pressed: async (payment: Link, button: string): Promise<string> => {
      const answer = await press(payment, button).redirects(1).expect(200);
      return /<h1>(.*?)<\/h1>/.exec(answer.text)![1]!;
    },

    booked: ({ key }: Link) =>
      rows<Entry>(
        server.db,
        `SELECT p.status, e.type, e.delay_ms, e.id AS event_id, p.id AS payment_id
           FROM sandbox_payments p JOIN sandbox_events e ON e.payment_id = p.id
          WHERE p.payment_key = $1 ORDER BY e.id`,
        [key],
      ),
  };
}
