import { z } from 'zod';
import type { Driver } from '../../../../activities/providers/driver';
import type { PaymentProvider, RefundOutcome } from '../../../../activities/providers/payments/port';
import { acmeVariables } from './variables';

interface AcmeConfig {
  ACME_KEY?: string | undefined;
  ACME_API_BASE?: string | undefined;
}

export const acmeDriver = {
  code: 'acme',
  variables: acmeVariables,
  callsPerSecond: 25,
  lookUpsPerSecond: 7,
  payments: ({ ACME_KEY: key, ACME_API_BASE: base = 'https://acme.test' }) =>
    key === undefined ? null : acmeProvider(base, key),
} satisfies Driver<AcmeConfig>;

const Page = z.object({ url: z.url(), no: z.string() });
const Charge = z.object({ charge: z.string(), cents: z.number(), unit: z.string() });
const Refund = z.object({ refund: z.string(), cents: z.number() });

/** Acme: a page for each payment, and refunds by the charge, both under keys of ours. */
function acmeProvider(base: string, key: string): PaymentProvider {
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answer = await fetch(`${base}${path}`, {
      method,
      headers,
      body: body ? JSON.stringify(body) : null,
    });
    if (answer.status === 404) return null;
    if (!answer.ok) throw new Error(`Acme answered ${answer.status}.`);
    return answer.json();
  };
  const outcomeOf = (found: unknown): RefundOutcome => {
    const { refund: refundId, cents: amountMinor } = Refund.parse(found);
    return { status: 'completed', refundId, amountMinor };
  };
  return {
    code: 'acme',
    opensWithinMs: 60_000,
    async openPayment({ key: order, amountMinor: cents, currency: unit }) {
      const { url, no } = Page.parse(await call('PUT', `/pages/${order}`, { cents, unit }));
      return { paymentUrl: url, reference: no };
    },
    async closePayment({ key: order }) {
      await call('DELETE', `/pages/${order}`);
    },
    async lookUpPayment({ key: order }) {
      const found = await call('GET', `/pages/${order}/charge`);
      if (found === null) return [];
      const { charge: paymentId, cents: amountMinor, unit: currency } = Charge.parse(found);
      return [{ paymentId, status: 'PAID', amountMinor, currency }];
    },
    certainAfterMs: 300_000,
    refund: async ({ key: no, paymentId: charge, amountMinor: cents }) =>
      outcomeOf(await call('PUT', `/refunds/${no}`, { charge, cents })),
    async lookUpRefund({ key: no }) {
      const found = await call('GET', `/refunds/${no}`);
      return found === null ? null : outcomeOf(found);
    },
  };
}
