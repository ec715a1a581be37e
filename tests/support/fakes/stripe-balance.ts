/** A transaction of the balance of a Stripe account, in Stripe's form. */
export interface BalanceTransaction {
  id: string;
  type: string;
  reporting_category: string;
  amount: number;
  fee: number;
  currency: string;
  /** In seconds since 1970. */
  created: number;
  source: Record<string, unknown> | null;
}

/** Answers a page as Stripe does: the newest first, behind one that is named; without `expand` only ids of what they are about. */
export function listTransactions(made: readonly BalanceTransaction[], form: URLSearchParams): unknown {
  const number = (name: string, fallback: number): number => Number(form.get(name) ?? fallback);
  const from = number('created[gte]', 0);
  const before = number('created[lt]', Infinity);
  const isExpanded = form.getAll('expand[0]').includes('data.source');
  const all = [...made]
    .reverse()
    .sort((a, b) => b.created - a.created)
    .filter(({ created }) => created >= from && created < before);
  const start = all.findIndex(({ id }) => id === form.get('starting_after')) + 1;
  const end = start + number('limit', 10);
  const data = all.slice(start, end).map((one) => ({
    ...one,
    object: 'balance_transaction',
    source: isExpanded ? one.source : one.source?.['id'],
  }));
  return { object: 'list', url: '/v1/balance_transactions', has_more: end < all.length, data };
}
