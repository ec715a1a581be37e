import {
  PAYABLE_IDS,
  refOf,
  type PayableIds,
  type PayableRef,
} from '../../../workflows/commerce/payable/payable.rules';
import { firstRow, type Db } from '../../sql/query';
import { bankReference } from '../payment/bank-reference';
import { payablesAs } from '../payment/payable';

/** The thing that a purpose of a transfer names, with its user, number and currency. */
export interface PayableOfPurpose {
  ref: PayableRef;
  userId: string;
  number: string;
  currency: string;
}

/** One kind in the search: the index of its numbers is used, since only the given text is changed. */
const found = (id: keyof PayableIds): string =>
  `SELECT '${id}' AS kind, id, user_id, number, currency FROM ${payablesAs(id).table} WHERE number = ${bankReference('$1')}`;

const SEARCH = PAYABLE_IDS.map(found).join(' UNION ALL ');

/** The order, participation, entrance fee or top-up with a purpose, whatever its blanks and letters; null: none has it. */
export async function payableOfPurpose(db: Db, purpose: string): Promise<PayableOfPurpose | null> {
  const row = await firstRow<{ kind: keyof PayableIds; id: string } & Omit<PayableOfPurpose, 'ref'>>(
    db,
    SEARCH,
    [purpose],
  );
  if (!row) return null;
  const { kind, id, ...payable } = row;
  return { ref: refOf({ [kind]: id }), ...payable };
}
