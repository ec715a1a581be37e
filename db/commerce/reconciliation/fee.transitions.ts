import { clearingAccount } from '../../ledger/ledger.accounts';
import { postNewTransfers } from '../../ledger/batch.transitions';
import { isOf } from '../../ledger/reference-columns';
import { rows, type Tx } from '../../sql/query';

/** Fees that are booked by one statement. */
const BATCH = 1_000;

interface Fee {
  providerId: string;
  amountMinor: number;
  currency: string;
}

/**
 * Books the fees of a day that are not booked yet, each once by the provider's id of it, as expenses at the end of that day;
 * returns their number. Fees of chargebacks are booked with these. The run of the day is locked.
 */
export async function bookFees(
  tx: Tx,
  { provider, day, bookedAt }: { provider: string; day: string; bookedAt: Date },
): Promise<number> {
  let booked = 0;
  for (let after: string | null = null; ;) {
    const fees: Fee[] = await rows<Fee>(
      tx,
      `SELECT m.provider_id, m.amount_minor, m.currency FROM provider_movements m
       WHERE m.provider = $1 AND m.day = $2 AND m.kind = 'FEE' AND m.reference IS NULL
         AND ($3::text IS NULL OR m.provider_id > $3) AND NOT EXISTS (
         SELECT 1 FROM ledger_transfers t
          WHERE ${isOf('t', 'fee')} AND t.subject_id = m.provider AND t.part = m.provider_id)
       ORDER BY m.provider_id LIMIT ${BATCH}`,
      [provider, day, after],
    );
    const transfers = fees.map(({ providerId, amountMinor, currency }) => ({
      reference: { kind: 'fee' as const, subjectId: provider, part: providerId },
      entries: [
        { account: 'provider_fees' as const, amountMinor: -amountMinor, currency },
        { account: clearingAccount(provider), amountMinor, currency },
      ],
    }));
    await postNewTransfers(tx, transfers, bookedAt);
    booked += fees.length;
    if (fees.length < BATCH) return booked;
    after = fees.at(-1)?.providerId ?? null;
  }
}
