import { execute, type Db } from '../../../../db/sql/query';

/** Empties the providers with all that names them, and other tables; payments of providers are otherwise never removed. */
export const emptyProviders = (owner: Db, ...others: readonly 'investment_categories'[]): Promise<number> =>
  execute(
    owner,
    `ALTER TABLE investment_provider_payments DISABLE TRIGGER investment_provider_payments_no_truncate;
     TRUNCATE ${['investment_providers', ...others].join(', ')} CASCADE;
     ALTER TABLE investment_provider_payments ENABLE TRIGGER investment_provider_payments_no_truncate`,
  );
