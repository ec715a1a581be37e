import { amountInWords } from '../../../../workflows/commerce/money.rules';
import { businessRefusal } from '../../../../workflows/errors';
import type { ProviderStanding } from '../../../../workflows/investment/provider-payment.rules';

/** The refusal of more than a provider owes and, of a payment, could recover of what was written off: MORE_THAN_OWED. */
export function moreThanOwed(
  { owedMinor, unrecoveredMinor }: Pick<ProviderStanding, 'owedMinor' | 'unrecoveredMinor'>,
  currency: string,
): Error {
  const debtMinor = Math.max(0, owedMinor);
  const [owed, unrecovered, most] = [debtMinor, unrecoveredMinor, debtMinor + unrecoveredMinor].map((minor) =>
    amountInWords(minor, currency),
  );
  const writtenOff = unrecoveredMinor > 0 ? `, and has not paid ${unrecovered} that was written off` : '';
  return businessRefusal('MORE_THAN_OWED', `This provider owes ${owed}${writtenOff}.`, {
    amount: [`must be at most ${most}`],
  });
}
