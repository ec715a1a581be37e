import { recordAudit, type Change } from '../../administration/audit/audit.writes';
import { execute, firstRow, type Db, type Tx } from '../../sql/query';
import { inTransaction } from '../../sql/transaction';

/** Who changes something, and from where. */
type Actor = Pick<Change, 'actorId' | 'clientAddress'>;

/** Sets what is taken, in basis points, of goods sent to a country (ISO 3166-1 alpha-2). Setting the same leaves no trace. */
export function setTaxRate(db: Db, country: string, rateBp: number, by: Actor): Promise<void> {
  return inTransaction(db, async (tx) => {
    const before = await standingRate(tx, country);
    if (before === rateBp) return;
    await execute(
      tx,
      `INSERT INTO tax_rates (country, rate_bp) VALUES ($1, $2)
       ON CONFLICT ON CONSTRAINT tax_rates_pkey DO UPDATE SET rate_bp = $2`,
      [country, rateBp],
    );
    await audit(tx, by, { action: 'tax-rate.set', country, before, after: rateBp });
  });
}

/** Takes no tax of a country any more; whether any was taken. */
export function deleteTaxRate(db: Db, country: string, by: Actor): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const before = await standingRate(tx, country);
    if (before === null) return false;
    await execute(tx, 'DELETE FROM tax_rates WHERE country = $1', [country]);
    await audit(tx, by, { action: 'tax-rate.delete', country, before, after: null });
    return true;
  });
}

/** The rate, and no other change of rates until the transaction ends; buyers read on. */
async function standingRate(tx: Tx, country: string): Promise<number | null> {
  await execute(tx, 'LOCK TABLE tax_rates IN SHARE ROW EXCLUSIVE MODE');
  const rate = await firstRow<{ rateBp: number }>(tx, 'SELECT rate_bp FROM tax_rates WHERE country = $1', [
    country,
  ]);
  return rate?.rateBp ?? null;
}

interface RateChange {
  action: string;
  country: string;
  before: number | null;
  after: number | null;
}

const audit = (tx: Tx, by: Actor, { action, country, before, after }: RateChange): Promise<void> =>
  recordAudit(tx, {
    ...by,
    action,
    entityType: 'tax-rate',
    entityId: country,
    previous: { rateBp: before },
    next: { rateBp: after },
    at: new Date(),
  });
