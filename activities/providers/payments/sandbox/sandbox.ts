import { sandboxPayments, sandboxRefund } from '../../../../db/commerce/sandbox/sandbox.reads';
import type { Db } from '../../../../db/sql/query';
import type { PaymentProvider } from '../port';
import { makeSandboxRefund } from './make-refund';
import { sandboxPaymentUrl } from './sandbox-link';

export interface SandboxSettings {
  /** Where browsers reach this platform, without a path of the API. */
  publicUrl: string;
  /** `whsec_…`; the first signs, the others are still accepted. */
  secrets: readonly [string, ...string[]];
}

/**
 * A payment company that lives in our own database and shows its page under our own address, and otherwise behaves
 * like any other: it knows only what it was told, and reports by signed webhook.
 */
export function sandboxProvider({ publicUrl, secrets }: SandboxSettings, db: Db): PaymentProvider {
  return {
    code: 'sandbox',

    opensByCall: false,

    openPayment: (payment) =>
      Promise.resolve({ paymentUrl: sandboxPaymentUrl(publicUrl, secrets[0], payment), reference: null }),

    // The page closes by itself: its address says until when it may be used.
    closePayment: () => Promise.resolve(),

    lookUpPayment: ({ key }) => sandboxPayments(db, key),

    refund: (order) => makeSandboxRefund(db, order),

    async lookUpRefund({ key }) {
      const refund = await sandboxRefund(db, key);
      return refund && { status: 'completed', ...refund };
    },
  };
}
