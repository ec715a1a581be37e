import type { Attributes } from 'sequelize';
import { rows, type Db } from '../../sql/query';
import { table } from '../../sql/table';
import type { InvestmentProviderDebt } from './investment-provider-debt.model';
import { ProviderPayment } from './provider-payment.model';

export type ProviderPaymentRow = Attributes<ProviderPayment>;

export const PAYMENT_COLUMNS = [
  ...([
    'id',
    'providerCode',
    'direction',
    'amountMinor',
    'recoveredMinor',
    'creditedMinor',
    'currency',
  ] as const),
  ...(['bankReference', 'note', 'enteredBy', 'createdAt'] as const),
];

/** One page of the payments of a provider, newest first. */
export async function listProviderPayments(
  db: Db,
  providerCode: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; payments: ProviderPaymentRow[] }> {
  const payments = table(db, ProviderPayment);
  const order = [
    ['createdAt', 'DESC'],
    ['id', 'DESC'],
  ] as const;
  return {
    total: await payments.count({ providerCode }),
    payments: await payments.all(PAYMENT_COLUMNS, { providerCode }, { order, limit, offset }),
  };
}

/** The debt of a provider in one currency, as it was counted last. */
export type CountedDebt = Pick<
  Attributes<InvestmentProviderDebt>,
  'providerCode' | 'currency' | 'owedMinor' | 'countedAt'
>;

/** The counted debts of these providers, by code and currency. */
export const countedDebts = (db: Db, codes: readonly string[]): Promise<CountedDebt[]> =>
  rows(
    db,
    `SELECT provider_code, currency, owed_minor, counted_at FROM investment_provider_debts
      WHERE provider_code = ANY ($1) ORDER BY provider_code, currency`,
    [codes],
  );
