import { sandboxPayments, sandboxRefundOf } from '../../../../db/commerce/sandbox/sandbox.reads';
import type { Db } from '../../../../db/sql/query';
import { otherAttempt } from '../../../../workflows/commerce/payout/transfer-out.rules';
import type { Driver } from '../../driver';
import type { PaymentProvider } from '../port';
import { makeSandboxRefund } from './make-refund';
import { sandboxPayouts } from './payouts';
import { sandboxPaymentUrl } from './sandbox-link';
import { sandboxStatement } from './statement';
import { sandboxVariables } from './variables';

export interface SandboxSettings {
  /** The platform's address for browsers, without a path. */
  publicUrl: string;
  /** `whsec_…`; the first signs, the others are still accepted. */
  secrets: readonly [string, ...string[]];
}

export const sandboxDriver = {
  code: 'sandbox',
  variables: sandboxVariables,
  callsPerSecond: 200,
  lookUpsPerSecond: 100,
  payments: ({ PUBLIC_URL: publicUrl, SANDBOX_SECRET: secrets }, db) =>
    sandboxProvider({ publicUrl, secrets }, db),
  payouts: (_config, db) => sandboxPayouts(db),
  statement: (_config, db) => sandboxStatement(db),
} satisfies Driver<{ PUBLIC_URL: string; SANDBOX_SECRET: readonly [string, ...string[]] }>;

/**
 * A payment company inside our own database, with its page under our own address. In all else it behaves like any other: it
 * knows only what it was sent, and reports by signed webhooks.
 */
export function sandboxProvider({ publicUrl, secrets }: SandboxSettings, db: Db): PaymentProvider {
  return {
    code: 'sandbox',

    opensWithinMs: null,

    openPayment: (payment) =>
      Promise.resolve({ paymentUrl: sandboxPaymentUrl(publicUrl, secrets[0], payment), reference: null }),

    // The page closes by itself: its address carries the deadline.
    closePayment: () => Promise.resolve(),

    lookUpPayment: ({ key }) => sandboxPayments(db, key),

    // A call is one statement.
    certainAfterMs: 30_000,

    refund: (order) => makeSandboxRefund(db, order),

    async lookUpRefund({ key }) {
      const refund = await sandboxRefundOf(db, key);
      if (refund === null) return null;
      const { id: refundId, amountMinor } = refund;
      return { status: 'completed', refundId, amountMinor, ...otherAttempt(refund.key, key) };
    },
  };
}
