import { v7 } from 'uuid';
import {
  payOutParticipation,
  principalMinor,
} from '../../../../activities/investment/participation/pay-out-participation';
import { netMinor } from '../../../../db/investment/participation/participation-ledger.transitions';
import { lockParticipation } from '../../../../db/investment/participation/participation.transitions';
import type { Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import type { Reference } from '../../../../workflows/ledger/reference.rules';

interface End {
  to: 'MATURED' | 'WITHDRAWN';
  penaltyMinor?: number;
  /** By default now. */
  at?: Date;
}

/** Ends a participation that runs, as its process does: all that is left goes to the wallet of its owner. */
export async function endParticipation(db: Db, id: string, end: End): Promise<void> {
  const { to, penaltyMinor = 0, at = new Date() } = end;
  await inTransaction(db, async (tx) => {
    const locked = await lockParticipation(tx, id);
    if (!locked) throw new Error(`There is no participation ${id}.`);
    const { userId, currency, earnedMinor } = locked;
    const net = netMinor({ principalMinor: principalMinor(locked), earnedMinor, penaltyMinor });
    const reference: Reference =
      to === 'MATURED'
        ? { kind: 'participation-maturity', subjectId: id }
        : { kind: 'withdrawal', subjectId: v7() };
    const lines = [{ account: 'wallet' as const, userId, currency, amountMinor: net }];
    const paid = { to, reference, penaltyMinor, lines, transactionId: v7(), occurredAt: at };
    await payOutParticipation(tx, locked, paid, at);
  });
}
