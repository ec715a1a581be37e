import { attemptsOf } from '../../../../db/commerce/payment/payment-attempt.transitions';
import type { Tx } from '../../../../db/sql/query';
import type { FoundPayment } from '../../../../workflows/commerce/payment/found-money.contract';
import type { PayableRef } from '../../../../workflows/commerce/payable/payable.rules';
import { applyReport } from '../apply-report';
import { lockPayable } from '../../payable/lock-payable';

/**
 * Applies the answers of providers on the attempts to pay for something, in the caller's transaction and under its lock.
 * Money comes first, oldest attempt first, so that the end of a later attempt never gives up what is paid. Unless all
 * attempts were looked up, only money is applied: the others may hold money too. An answer that contradicts a recorded
 * payment changes nothing here, so that it blocks nothing; it is returned to be logged, and its webhook waits for a person.
 */
export async function applyFoundPayments(
  tx: Tx,
  ref: PayableRef,
  { found, complete, at }: { found: readonly FoundPayment[]; complete: boolean; at: string },
): Promise<string[]> {
  await lockPayable(tx, ref);
  const oldestFirst = (await attemptsOf(tx, ref)).reverse();
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
