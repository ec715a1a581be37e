import { toMinor } from '../../commerce/money.rules';
import { refusal } from '../../errors';

/** Refuses an amount, in minor units, outside the bounds of the policy, which are in whole units: VALIDATION_ERROR on `amount`. */
export function requireTopUpAmount(
  { amountMinor, currency }: { amountMinor: number; currency: string },
  { topUpMinimum, topUpMaximum }: { topUpMinimum: number; topUpMaximum: number },
): void {
  const isWithin =
    amountMinor >= toMinor(topUpMinimum, currency) && amountMinor <= toMinor(topUpMaximum, currency);
  if (!isWithin)
    throw refusal('VALIDATION_ERROR', 'The amount is outside the bounds of a top-up.', {
      amount: [`must be from ${topUpMinimum} to ${topUpMaximum} ${currency}`],
    });
}
