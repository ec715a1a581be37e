import * as ledger from '../../../db/commerce/order/order-ledger.transitions';
import { InsufficientBalance } from '../../../db/ledger/ledger.transitions';
import { refusal } from '../../../workflows/errors';

/** Sets the buyer's own money against an order. Refused: INSUFFICIENT_BALANCE; the transaction is then rolled back. */
export async function holdBalance(...order: Parameters<typeof ledger.holdBalance>): Promise<void> {
  try {
    await ledger.holdBalance(...order);
  } catch (error) {
    if (!(error instanceof InsufficientBalance)) throw error;
    throw refusal('INSUFFICIENT_BALANCE');
  }
}
