import { ApplicationFailure } from '@temporalio/common';
import { recordMovements } from '../../../db/commerce/reconciliation/reading.transitions';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { Reading } from '../../../workflows/commerce/reconciliation/reconciliation.contract';
import type { UtcDay } from '../../../workflows/commerce/reconciliation/reconciliation.rules';
import type { StatementMovement, ProviderStatement } from '../../providers/statements/port';

/** Pages of one activity: minutes, so that look-ups, which share its queue, get their turn. */
const PAGES = 50;

/**
 * Reads pages of a day and records each in a transaction of its own. `recorded` is called with the cursor behind which a
 * further try goes on. Returns the cursor behind the last page; null at the end of the day.
 */
export async function readStatement(
  {
    db,
    statement,
    signal,
    pages = PAGES,
  }: { db: Db; statement: ProviderStatement; signal: AbortSignal; pages?: number },
  { reading, day, cursor: from }: { reading: Reading; day: UtcDay; cursor: string | null },
  recorded: (cursor: string | null) => void,
): Promise<string | null> {
  let cursor = from;
  for (let page = 1; page <= pages; page++) {
    signal.throwIfAborted();
    const found = await statement.listMovements({ from: day.startsAt, to: day.endsAt, cursor });
    const isRecorded = await inTransaction(db, (tx) =>
      recordMovements(tx, reading, found.movements.map(saidMovement)),
    );
    if (!isRecorded)
      throw ApplicationFailure.nonRetryable('Another reading of this day has begun.', 'ReadAgain');
    cursor = found.cursor;
    recorded(cursor);
    if (cursor === null) return null;
  }
  return cursor;
}

const saidMovement = ({ at, chargebackId, reverses, ...movement }: StatementMovement) => ({
  ...movement,
  chargebackId: chargebackId ?? null,
  reverses: reverses ?? null,
  occurredAt: at,
});
