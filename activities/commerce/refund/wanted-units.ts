import { allThatIsLeft, type ReturnableLine } from '../../../workflows/commerce/refund/refund-claim.rules';
import { refusal, type RefusalDetails } from '../../../workflows/errors';

/** Goods of an order as a request names them: whole lines, or a number of units. Neither: all that is left. */
export interface NamedUnits {
  itemIds: string[] | null;
  items: { itemId: string; quantity: number }[] | null;
}

/** The units to give back, by line. Refused: VALIDATION_ERROR, naming what the order does not have (any more). */
export function wantedUnits(
  { itemIds, items }: NamedUnits,
  lines: readonly ReturnableLine[],
): Map<string, number> {
  const left = allThatIsLeft({ lines });
  if (itemIds === null && items === null) return left;
  const wanted = new Map<string, number>();
  const wrong: RefusalDetails = {};
  const take = (field: string, itemId: string): number => {
    const there = left.get(itemId) ?? 0;
    if (!left.has(itemId)) wrong[field] = ['is no item of this order'];
    else if (wanted.has(itemId)) wrong[field] = ['names an item that is named already'];
    else if (there === 0) wrong[field] = ['was given back already'];
    else wanted.set(itemId, there);
    return there;
  };
  itemIds?.forEach((itemId, index) => take(`itemIds.${index}`, itemId));
  items?.forEach(({ itemId, quantity }, index) => {
    const there = take(`items.${index}.itemId`, itemId);
    if (`items.${index}.itemId` in wrong) return;
    if (quantity > there) wrong[`items.${index}.quantity`] = [`must be at most ${there}, which are left`];
    wanted.set(itemId, quantity);
  });
  if (Object.keys(wrong).length > 0)
    throw refusal('VALIDATION_ERROR', 'Not all of this can be given back.', wrong);
  return wanted;
}
