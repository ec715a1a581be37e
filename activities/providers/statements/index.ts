import type { Db } from '../../../db/sql/query';
import type { StripeSettings } from '../payments/stripe/client';
import type { ProviderStatement } from './port';
import { sandboxStatement } from './sandbox-statement';
import { stripeStatement } from './stripe/stripe-statement';

/** The statements of providers, by code; Stripe's only when there is a key for it. */
export function providerStatements(
  { stripe }: { stripe?: Pick<StripeSettings, 'secretKey' | 'apiBase'> | undefined },
  db: Db,
): ReadonlyMap<string, ProviderStatement> {
  const statements = [sandboxStatement(db), ...(stripe ? [stripeStatement(stripe)] : [])];
  return new Map(statements.map((statement) => [statement.code, statement]));
}
