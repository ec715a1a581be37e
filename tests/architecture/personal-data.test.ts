import { PERSONAL } from '../../db/identity/account-deletion/erasure.transitions';
import { ownDatabase } from '../support/servers/database';
import { tablesOfPeople } from '../workflows/identity/living-person';

const own = ownDatabase();

/** Tables that stay when a person is erased: the ledger and its references, decisions and reviews without a name. */
const kept = [
  'coupon_uses',
  'ledger_balances',
  'ledger_drifts',
  'ledger_entries',
  'orders',
  'partners',
  'refund_requests',
  'reviews',
  'user_standing_changes',
];

test('of every table that knows people, it is decided whether it is erased with them', async () => {
  expect(await tablesOfPeople(own.db)).toEqual([...PERSONAL, ...kept].sort());
});
