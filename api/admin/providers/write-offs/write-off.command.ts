import { v7 } from 'uuid';
import { audited } from '../../../../db/administration/audit/audit.writes';
import { lockProvider } from '../../../../db/investment/provider/provider.reads';
import { standingOf } from '../../../../db/investment/provider-payment/provider-standing.reads';
import type { ProviderWriteOffRow } from '../../../../db/investment/provider-payment/provider-write-off.reads';
import { bookWriteOff } from '../../../../db/investment/provider-payment/provider-write-off.writes';
import type { Policy } from '../../../../db/policy/config';
import type { Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import type { Actor } from '../../actor';
import { noSuchProvider } from '../no-such-provider';
import { moreThanOwed } from '../payments/more-than-owed';

/** A part of a debt that is given up. */
export type GivenUp = Pick<ProviderWriteOffRow, 'providerCode' | 'amountMinor' | 'currency' | 'reason'>;

/**
 * Writes off a part of what a provider owes: it is booked as a loss, and the debt falls by it. Refused: PROVIDER_NOT_FOUND,
 * MORE_THAN_OWED.
 */
export const writeOffDebt = (
  { db, policy }: { db: Db; policy: Pick<Policy, 'providerDebtLimit'> },
  givenUp: GivenUp,
  by: Actor & { actorId: string },
): Promise<ProviderWriteOffRow> =>
  inTransaction(db, async (tx) => {
    const { providerCode, amountMinor, currency, reason } = givenUp;
    // Two administrators who give up the same debt at once do so one after the other.
    if (!(await lockProvider(tx, providerCode))) throw noSuchProvider();
    const { owedMinor } = await standingOf(tx, providerCode, currency);
    if (amountMinor > owedMinor) throw moreThanOwed({ owedMinor, unrecoveredMinor: 0 }, currency);
    const at = new Date();
    const writeOff = { ...givenUp, id: v7(), decidedBy: by.actorId, createdAt: at };
    await bookWriteOff(tx, writeOff, policy.providerDebtLimit);
    await audited(
      tx,
      { ...by, at },
      'provider.write-off',
      providerCode,
      { owedMinor },
      { owedMinor: owedMinor - amountMinor, amountMinor, reason },
      { currency },
    );
    return writeOff;
  });
