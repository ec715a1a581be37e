import { v7 } from 'uuid';
import { announce } from '../../../../../db/administration/domain-event/domain-event.writes';
import {
  bookPaidOut,
  bookPrincipalPaid,
  bookReturn,
  owedMinor,
} from '../../../../../db/investment/participation/participation-ledger.transitions';
import { lockParticipation } from '../../../../../db/investment/participation/participation.transitions';
import { postTransfer } from '../../../../../db/ledger/ledger.transitions';
import type { Tx } from '../../../../../db/sql/query';
import type { InvestmentTransactionType } from '../../../../../workflows/investment/participation/participation.rules';
import type { ParticipationStatus } from '../../../../../workflows/investment/participation/participation.states';
import type { Reference } from '../../../../../workflows/ledger/reference.rules';
import { insert } from '../insert';
import type { Participation, ParticipationOptions } from './options';

/** Writes the transactions and the ledger entries of one that began, to its end if it has one. */
export async function beginAndEnd(
  tx: Tx,
  { id, userId, amountMinor, withdrawalId }: Participation,
  options: ParticipationOptions,
  { status, at }: { status: ParticipationStatus; at: Date },
): Promise<void> {
  const row = await lockParticipation(tx, id);
  if (!row) throw new Error(`There is no strategy ${options.strategyId}.`);
  const { currency, providerCode } = row;
  const record = async (
    type: InvestmentTransactionType,
    amount: number,
    occurredAt = at,
  ): Promise<string> => {
    const transactionId = v7();
    if (amount === 0) return transactionId;
    await insert(tx, 'investment_transactions', {
      ...{ id: transactionId, participation_id: id, user_id: userId, type, amount_minor: amount, currency },
      ...{ provider_code: providerCode, occurred_at: occurredAt, created_at: occurredAt },
    });
    const event = type === 'DEPOSIT' ? 'investment.created' : 'profit.distributed';
    if (type === 'DEPOSIT' || (type === 'PROFIT' && amount > 0))
      await announce(
        tx,
        { type: event, participationId: id, transactionId, userId, amountMinor: amount, currency },
        occurredAt.toISOString(),
      );
    return transactionId;
  };
  let now = { ...row, withdrawnMinor: 0, earnedMinor: 0 };
  const payOut = (owed: number, paid: number, reference: Reference, when: Date) => {
    const to = [{ account: 'wallet', userId, currency, amountMinor: paid }] as const;
    return bookPaidOut(tx, row, { owedMinor: owed, penaltyMinor: owed - paid }, { reference, to, at: when });
  };
  const penaltyMinor = status === 'WITHDRAWN' ? (options.penaltyMinor ?? 0) : 0;

  await record('DEPOSIT', amountMinor);
  if (options.reinvestedFromId)
    // The one before has paid all to the wallet; what goes on is booked in its name.
    await postTransfer(tx, {
      reference: { kind: 'participation-payout', subjectId: options.reinvestedFromId },
      entries: [
        { account: 'wallet', userId, currency, amountMinor: -amountMinor },
        { account: 'investments', currency, amountMinor },
      ],
      at,
    });
  else await bookPrincipalPaid(tx, row, row.origin === 'PROVIDER' ? 'REPORTED' : 'WALLET', at);
  for (const { amountMinor: profit, at: when = at } of options.profits ?? []) {
    const subjectId = await record('PROFIT', profit, when);
    const reference = { kind: 'profit', subjectId } as const;
    await bookReturn(tx, now, { reference, amountMinor: profit, at: when });
    now = { ...now, earnedMinor: now.earnedMinor + profit };
  }
  for (const { amountMinor: part, at: when = at } of options.payouts ?? []) {
    const subjectId = await record('WITHDRAWAL', part, when);
    await payOut(part, part, { kind: 'provider-payout', subjectId }, when);
    now = { ...now, withdrawnMinor: now.withdrawnMinor + part };
  }
  if (!row.endedAt) return;

  const parts = { principal: amountMinor - row.withdrawnMinor, earned: row.earnedMinor };
  const paidMinor = Math.max(0, parts.principal + parts.earned - penaltyMinor);
  await record('WITHDRAWAL', paidMinor, row.endedAt);
  await record('PENALTY', penaltyMinor, row.endedAt);
  const reference: Reference = withdrawalId
    ? { kind: 'withdrawal', subjectId: withdrawalId }
    : { kind: 'participation-maturity', subjectId: id };
  await payOut(owedMinor(row), paidMinor, reference, row.endedAt);
  if (withdrawalId)
    await insert(tx, 'investment_withdrawals', {
      ...{ id: withdrawalId, participation_id: id, user_id: userId, method: 'BALANCE', status: 'COMPLETED' },
      ...{ principal_minor: parts.principal, returns_minor: parts.earned, penalty_minor: penaltyMinor },
      ...{ net_minor: paidMinor, currency, estimated_on: row.endedAt },
      ...{ created_at: row.endedAt, ended_at: row.endedAt },
    });
}
