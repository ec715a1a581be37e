import { PERSONAL } from '../../db/identity/account-deletion/erasure.transitions';
import { ownDatabase } from '../support/servers/database';
import { tablesOfPeople } from '../workflows/identity/living-person';

const own = ownDatabase();

/** Deleted with their files: `eraseVerifications`. */
const withFiles = ['kyc_documents'];
/** Tables that stay when a person is erased: ledger, investments and references to them, decisions and reviews without a name, the
 * tree of partners and what they earned, reports, without texts. */
const kept = [
  'coupon_uses',
  'customer_first_orders',
  'investment_transactions',
  'investment_withdrawals',
  'kyc_verifications',
  'ledger_balances',
  'ledger_drifts',
  'ledger_entries',
  'ledger_holds',
  'orders',
  'parked_processes',
  'participations',
  'partner_commissions',
  'partner_descendants',
  'partner_entrances',
  'partner_levels',
  'partner_links',
  'partner_months',
  'partner_rank_changes',
  'partner_sales',
  'partner_standings',
  'partner_state_changes',
  'partners',
  'payouts',
  'pool_shares',
  'referral_touches',
  'refund_requests',
  'reviews',
  'top_ups',
  'user_standing_changes',
  'webhook_events',
];

test('of every table that knows people, it is decided whether it is erased with them', async () => {
  expect(await tablesOfPeople(own.db)).toEqual([...PERSONAL, ...withFiles, ...kept].sort());
});
