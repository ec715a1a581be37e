import { attemptsOf } from '../../../db/commerce/payment/payment-attempt.transitions';
import type { Tx } from '../../../db/sql/query';
import type { FoundPayment } from '../../../workflows/commerce/order/checkout.contract';
import { requireOrder } from '../order/require-order';
import { applyReport } from './apply-report';

/**
 * Applies the answers of providers on an order's attempts, in the caller's transaction and under the order's lock. Money
 * comes first, oldest attempt first, so that the end of a later attempt never cancels an order that is paid. Unless all
 * attempts were looked up, only money is applied: the others may hold money too. An answer that contradicts a recorded
 * payment changes nothing here, so that it blocks no order; it is returned to be logged, and its webhook waits for a person.
 */
export async function applyFoundPayments(
  tx: Tx,
  orderId: string,
  { found, complete, at }: { found: readonly FoundPayment[]; complete: boolean; at: string },
): Promise<string[]> {
  await requireOrder(tx, orderId);
  const oldestFirst = (await attemptsOf(tx, orderId)).reverse();
  const inOrder = oldestFirst.flatMap((attempt) =>
    found.filter(({ attemptId }) => attemptId === attempt.id).map(({ report }) => ({ attempt, report })),
  );
  const money = inOrder.filter(({ report }) => report.status === 'PAID');
  const ends = complete ? inOrder.filter(({ report }) => report.status !== 'PAID') : [];
  const contradictions: string[] = [];
  for (const { attempt, report } of [...money, ...ends]) {
    const effect = await applyReport(tx, attempt, report, { at, allAsked: complete });
    if (effect.outcome === 'IMPOSSIBLE') contradictions.push(effect.why);
  }
  return contradictions;
}
