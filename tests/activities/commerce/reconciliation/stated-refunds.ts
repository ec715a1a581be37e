import { rows, type Db } from '../../../../db/sql/query';
import { given } from '../../../support/builders/given';
import { make } from '../../../support/builders/make';
import { noteOf, orderSteps, PRICE_MINOR } from '../../../support/builders/ordering';
import { at, comparing, type TheirStatement } from './their-statement';

const HOUR = 12;
/** The time of the compared day at which refunds are settled and reported; their provider made them hours before. */
export const NOON = at(HOUR).toISOString();

export const BY_PROVIDER = { refunds: -PRICE_MINOR, clearing_sandbox: PRICE_MINOR };
export const BY_BANK = { refunds: -PRICE_MINOR, clearing_bank: PRICE_MINOR };

/** Refunds of orders that were paid through the sandbox, and of which its statement has some. */
export function statedRefunds(own: { readonly db: Db }, statement: TheirStatement) {
  /** A refund that is not sent, of an order that was paid through the sandbox. */
  async function unsent(): Promise<string> {
    const { refundId } = await given(own.db).order().paid().cancelled();
    await orderSteps(own.db).abandonRefund({ refundId, at: NOON });
    return refundId;
  }

  /** On the day that is compared. */
  async function settle(refundId: string, reference: string): Promise<void> {
    const noteId = await noteOf(own.db, (await make.admin(own.db)).id, reference);
    await orderSteps(own.db).settleRefund({ refundId, noteId, at: NOON });
  }

  /** Reads the day, and compares it; returns the open differences. */
  const run = (): Promise<number> => comparing(own.db, statement).run();

  /** The statement has this refund, which the provider made hours before it was settled here. */
  const saysRefund = (providerId: string, amountMinor = PRICE_MINOR): void =>
    statement.says({ kind: 'REFUND', providerId, amountMinor, at: at(HOUR - 3) });

  /** And that it came back to the provider. */
  const saysReturn = (of: string): void => {
    const undone = { kind: 'REFUND' as const, providerId: `${of}:undone`, amountMinor: -PRICE_MINOR };
    statement.says({ ...undone, reverses: of, at: at(HOUR - 2) });
  };

  /** The sums of what is booked for a refund, by account. */
  const bookings = async (refundId: string): Promise<Record<string, number>> =>
    Object.fromEntries(
      (
        await rows<{ account: string; minor: number }>(
          own.db,
          `SELECT e.account, sum(e.amount_minor)::bigint AS minor FROM ledger_entries e JOIN ledger_transfers t ON t.id = e.transfer_id
            WHERE t.kind LIKE 'payment-refund%' AND t.subject_id = $1 GROUP BY e.account`,
          [refundId],
        )
      ).map(({ account, minor }) => [account, minor]),
    );

  return { bookings, run, saysRefund, saysReturn, settle, unsent };
}
