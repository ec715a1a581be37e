import { execute, type Db } from '../../../../db/sql/query';

const KEPT = ['investment_provider_payments', 'investment_provider_write_offs'];

/** Empties the providers with all that names them, and other tables; their payments and write-offs are otherwise never removed. */
export const emptyProviders = (owner: Db, ...others: readonly 'investment_categories'[]): Promise<number> =>
  execute(
    owner,
    [
      ...KEPT.map((table) => `ALTER TABLE ${table} DISABLE TRIGGER ${table}_no_truncate`),
      `TRUNCATE ${['investment_providers', ...others].join(', ')} CASCADE`,
      ...KEPT.map((table) => `ALTER TABLE ${table} ENABLE TRIGGER ${table}_no_truncate`),
    ].join('; '),
  );
