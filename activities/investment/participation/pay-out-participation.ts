import { v7 } from 'uuid';
import {
  bookPaidOut,
  netMinor,
  owedMinor,
  paidPenaltyMinor,
} from '../../../db/investment/participation/participation-ledger.transitions';
import {
  moveParticipation,
  type LockedParticipation,
} from '../../../db/investment/participation/participation.transitions';
import { countEnded } from '../../../db/investment/strategy/strategy-capacity.transitions';
import {
  endTime,
  recordTransaction,
} from '../../../db/investment/transaction/investment-transaction.transitions';
import type { LedgerLine } from '../../../db/ledger/ledger.accounts';
import type { Tx } from '../../../db/sql/query';
import type { Reference } from '../../../workflows/ledger/reference.rules';

/** The end of a participation that ran. */
export interface ParticipationEnd {
  to: 'MATURED' | 'WITHDRAWN';
  /** The event that the ledger names. */
  reference: Reference;
  /** The penalty that its terms ask for; where less is left, that much is kept. */
  penaltyMinor: number;
  /** The ledger lines that receive the net amount; they add up to it. */
  lines: readonly LedgerLine[];
  /** The id of the WITHDRAWAL transaction. */
  transactionId: string;
  occurredAt: Date;
  externalId?: string | null;
  webhookEventId?: string | null;
}

/** The principal that still runs, in minor units: without what its provider has paid out of it. */
export const principalMinor = ({
  amountMinor,
  withdrawnMinor,
}: Pick<LockedParticipation, 'amountMinor' | 'withdrawnMinor'>): number => amountMinor - withdrawnMinor;

/**
 * Ends a locked participation in the caller's transaction: its status, the transactions of what is paid out and kept, the
 * capacity of its strategy, and all its money. A net amount of zero has no WITHDRAWAL transaction. Returns the time of the end:
 * `now`, or just after its last movement.
 */
export async function payOutParticipation(
  tx: Tx,
  participation: LockedParticipation,
  end: ParticipationEnd,
  now: Date,
): Promise<Date> {
  const at = await endTime(tx, participation.id, now);
  const principal = principalMinor(participation);
  const asked = { principalMinor: principal, earnedMinor: participation.earnedMinor };
  const net = netMinor({ ...asked, penaltyMinor: end.penaltyMinor });
  const penalty = paidPenaltyMinor({ ...asked, penaltyMinor: end.penaltyMinor });
  requireSum(participation.id, end.lines, net);

  await moveParticipation(tx, participation, end.to, { endedAt: at }, at);
  await recordEnd(tx, participation, end, { net, penalty, at });
  await countEnded(tx, participation.strategyId, principal);
  const parts = { owedMinor: owedMinor(participation), penaltyMinor: penalty };
  await bookPaidOut(tx, participation, parts, { reference: end.reference, to: end.lines, at });
  return at;
}

function requireSum(id: string, lines: readonly LedgerLine[], net: number): void {
  const sum = lines.reduce((total, { amountMinor }) => total + amountMinor, 0);
  if (sum !== net)
    throw new Error(`The lines of participation ${id} come to ${sum}, its net amount is ${net}.`);
}

async function recordEnd(
  tx: Tx,
  { id, userId, currency, providerCode }: LockedParticipation,
  { transactionId, occurredAt, externalId = null, webhookEventId = null }: ParticipationEnd,
  { net, penalty, at }: { net: number; penalty: number; at: Date },
): Promise<void> {
  const common = { participationId: id, userId, currency, providerCode, webhookEventId, occurredAt };
  const paid = { ...common, id: transactionId, type: 'WITHDRAWAL', amountMinor: net, externalId } as const;
  if (net > 0 && !(await recordTransaction(tx, paid, at)))
    throw new Error(`The payout of participation ${id} is recorded already.`);
  if (penalty > 0)
    await recordTransaction(tx, { ...common, id: v7(), type: 'PENALTY', amountMinor: penalty }, at);
}
