import type { ProviderStanding } from '../../../workflows/investment/provider-payment.rules';
import { firstRow, type Tx } from '../../sql/query';

/** The standing of a provider that the caller has locked. */
export async function standingOf(tx: Tx, providerCode: string, currency: string): Promise<ProviderStanding> {
  const found = await firstRow<ProviderStanding>(tx, 'SELECT * FROM investment_provider_standing($1, $2)', [
    ...[providerCode, currency],
  ]);
  if (!found) throw new Error('PostgreSQL answered no row to a function.');
  return found;
}
