import { v7 } from 'uuid';
import { storeWebhookEvent } from '../../../../../db/administration/webhook/webhook-event.writes';
import { firstRow, rows, type Db } from '../../../../../db/sql/query';
import type { AppliedEvent } from '../../../../../workflows/commerce/payment-event/payment-event.contract';
import {
  factsOfReport,
  type RefundReportType,
} from '../../../../../workflows/commerce/payment/payment-report.rules';
import { given } from '../../../../support/builders/given';
import { make } from '../../../../support/builders/make';
import { noteOf, orderSteps, PRICE_MINOR } from '../../../../support/builders/ordering';

export interface ReportedRefund {
  /** Our refund's id; left out: nobody here has asked for it. */
  refundId?: string;
  /** The provider's id of it. */
  as: string;
  amountMinor?: number;
  /** The sandbox unless another provider says it. */
  provider?: string;
}

/** The effect of a report, without what is the same in each. */
export const effectOf = ({ outcome, ...applied }: AppliedEvent) => ({
  outcome,
  wakes: 'refundsReported' in applied ? (applied.refundsReported ?? []).map(({ refundId }) => refundId) : [],
  toDecide: 'toDecide' in applied ? applied.toDecide : undefined,
});

export const NOTHING = { outcome: 'WITHOUT_EFFECT', wakes: [], toDecide: undefined };

/** Reports of the sandbox on refunds in the database of a test file, and what they change. */
export function refundReports(own: { readonly db: Db }) {
  const at = (): string => new Date(Date.now() + 10 * 60_000).toISOString();
  const steps = () => orderSteps(own.db);

  /** Stores what a provider says of a refund of an order's payment. */
  async function stored(
    type: RefundReportType,
    orderId: string,
    { refundId, as, amountMinor = PRICE_MINOR, provider = 'sandbox' }: ReportedRefund,
  ): Promise<string> {
    const [id, externalEventId] = [v7(), v7()];
    const payment = await firstRow<{ paymentId: string }>(
      own.db,
      'SELECT provider_payment_id AS payment_id FROM payment_captures WHERE order_id = $1 ORDER BY applied DESC LIMIT 1',
      [orderId],
    );
    const paymentId = payment?.paymentId ?? 'unknown';
    const data = {
      key: refundId === undefined ? null : `${refundId}:1`,
      refundId: as,
      paymentId,
      amountMinor,
      currency: 'USD',
    };
    const body = JSON.stringify({ type, timestamp: at(), data });
    const event = {
      provider,
      externalEventId,
      type,
      body,
      bodyHash: '',
      known: true,
      ...factsOfReport(type, { data }),
    };
    await storeWebhookEvent(own.db, { id, at: new Date(), ...event });
    return id;
  }

  const apply = (webhookEventId: string): Promise<AppliedEvent> =>
    steps().applyPaymentEvent({ webhookEventId, at: at() });

  /** Applies such a report. */
  const hears = async (...report: Parameters<typeof stored>): Promise<AppliedEvent> =>
    apply(await stored(...report));

  /** The refund of a cancelled order, which the sandbox has sent under this name. */
  async function sentRefund() {
    const order = await given(own.db).order().paid().cancelled();
    const as = `re_${order.refundId}`;
    await steps().completeRefund({ refundId: order.refundId, providerRefundId: as, at: at() });
    return { order, refundId: order.refundId, as };
  }

  const settle = async (refundId: string, reference = v7()): Promise<void> => {
    const noteId = await noteOf(own.db, (await make.admin(own.db)).id, reference);
    await steps().settleRefund({ refundId, noteId, at: at() });
  };

  /** A cancelled order whose refund was given up. */
  async function unsent() {
    const order = await given(own.db).order().paid().cancelled();
    await steps().abandonRefund({ refundId: order.refundId, at: at() });
    return order;
  }

  /** The same, of which a person has settled the refund by this name. */
  async function settledAs(reference: string) {
    const order = await unsent();
    await settle(order.refundId, reference);
    return order;
  }

  /** The amounts booked on an account for a refund. */
  const bookedOn = async (account: string, refundId: string): Promise<number[]> =>
    (
      await rows<{ minor: number }>(
        own.db,
        `SELECT e.amount_minor AS minor FROM ledger_entries e JOIN ledger_transfers t ON t.id = e.transfer_id
         WHERE e.account = $1 AND starts_with(t.kind, 'payment-refund') AND t.subject_id = $2 ORDER BY e.id`,
        [account, refundId],
      )
    ).map(({ minor }) => minor);

  const differences = (providerId: string) =>
    rows(
      own.db,
      'SELECT kind, movement_kind, their_minor AS minor, resolved_at IS NULL AS is_open FROM reconciliation_differences WHERE provider_id = $1',
      [providerId],
    );

  return { apply, at, bookedOn, differences, hears, sentRefund, settle, settledAs, steps, stored, unsent };
}
