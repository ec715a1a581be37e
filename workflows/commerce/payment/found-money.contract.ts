import type { RefundDue } from '../order/order.contract';
import type { PayableRef } from '../payable/payable.rules';
import type { PaymentReport } from './payment-report.rules';

/** The report of a provider on one attempt that was looked up. */
export interface FoundPayment {
  attemptId: string;
  report: PaymentReport;
}

/** The steps of a look-up before what was to be paid is given up. */
export interface FoundMoneyActivities {
  /** The codes of the providers that may have money for it; empty when no attempt went through one. */
  providersToAsk: (payable: PayableRef) => Promise<string[]>;
  /**
   * Applies the providers' reports on the attempts to pay for it, in one transaction: money first, oldest first. Unless they
   * are `complete` for all attempts, only money is applied. Returns all its refunds that are due.
   */
  applyLookUps: (
    lookUps: PayableRef & { found: FoundPayment[]; complete: boolean; at: string },
  ) => Promise<RefundDue[]>;
}

export interface PaymentLookupActivities {
  /**
   * Looks up the attempts to pay for it with a provider, whatever its status; pages of expired attempts are closed first.
   * If that fails for some attempts, reported money is applied before the failure is thrown.
   */
  lookUpPayments: (lookUp: PayableRef & { provider: string; at: string }) => Promise<FoundPayment[]>;
}
