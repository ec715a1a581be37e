import { PERSONAL } from '../../db/identity/account-deletion/erasure.transitions';
import { ownDatabase } from '../support/servers/database';
import { tablesOfPeople } from '../workflows/identity/living-person';

const own = ownDatabase();

/** What stays when a person is erased: books, what refers to them, decisions without words, opinions without a name. */
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
