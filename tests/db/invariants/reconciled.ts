import { compareDay } from '../../../activities/commerce/reconciliation/compare-day';
import { readStatement } from '../../../activities/commerce/reconciliation/read-statement';
import type { ProviderStatement } from '../../../activities/providers/statements/port';
import { sandboxStatement } from '../../../activities/providers/payments/sandbox/statement';
import { beginReading } from '../../../db/commerce/reconciliation/reading.transitions';
import { policyFrom } from '../../../db/policy/config';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { utcDay } from '../../../workflows/commerce/reconciliation/reconciliation.rules';

/** The sandbox's statement, in which it also keeps a fee. */
const withFee = (statement: ProviderStatement): ProviderStatement => ({
  ...statement,
  async listMovements(request) {
    const page = await statement.listMovements(request);
    const money = { reference: null, amountMinor: 30, currency: 'USD', at: request.from };
    return { ...page, movements: [...page.movements, { kind: 'FEE', providerId: 'monthly', ...money }] };
  },
});

/** Compares everything that has moved in the sandbox, as if it had been one day. */
export async function reconciled(db: Db): Promise<void> {
  const at = new Date();
  const day = at.toISOString().slice(0, 10);
  const { signal } = new AbortController();
  const found = utcDay(day)!;
  const span = { startsAt: new Date(at.getTime() - 86_400_000), endsAt: new Date(at.getTime() + 1) };
  const of = await inTransaction(db, (tx) => beginReading(tx, { provider: 'sandbox', day, at }));
  const statement = withFee(sandboxStatement(db));
  await readStatement({ db, statement, signal }, { reading: of, day: span, cursor: null }, () => undefined);
  const reading = { ...of, ...found, provider: 'sandbox', day, at };
  const differences = await compareDay({ db, signal, policy: policyFrom({}) }, reading);
  if (differences === null) throw new Error('Another day of the sandbox is compared.');
}
