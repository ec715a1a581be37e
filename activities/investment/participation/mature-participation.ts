import { v7 } from 'uuid';
import { netMinor } from '../../../db/investment/participation/participation-ledger.transitions';
import type { LockedParticipation } from '../../../db/investment/participation/participation.transitions';
import { awaitsPayout } from '../../../db/investment/provider-event/waiting-payout.reads';
import { lockUserStanding } from '../../../db/kyc/standing/user-standing.writes';
import type { LedgerLine } from '../../../db/ledger/ledger.accounts';
import type { Policy } from '../../../db/policy/config';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { ParticipationState } from '../../../workflows/investment/participation/participation.contract';
import { participationMaturedLetter } from '../../../workflows/investment/participation/participation.letters';
import { requireParticipation, stateOfParticipation } from './participation-state';
import { payOutParticipation, principalMinor } from './pay-out-participation';
import { queueParticipationMail } from './queue-participation-mail';
import { beginNextTerm, planNextTerm } from './reinvest';

/**
 * Pays a participation out, or reinvests it, at its maturity; any other is only read, and so is one whose provider has
 * reported a payout that is still to be decided: that may be less than it holds.
 */
export const matureWhenDue = (
  db: Db,
  policy: Policy,
  { participationId, userId, at }: { participationId: string; userId: string; at: string },
): Promise<ParticipationState> =>
  inTransaction(db, async (tx) => {
    await lockUserStanding(tx, userId);
    const participation = await requireParticipation(tx, participationId);
    const { status, maturesAt } = participation;
    const now = new Date(at);
    const isDue = status === 'ACTIVE' && maturesAt !== null && maturesAt <= now;
    if (isDue && !(await awaitsPayout(tx, participationId)))
      await matureParticipation(tx, participation, policy, { occurredAt: maturesAt }, now);
    return stateOfParticipation(tx, participationId);
  });

/** The maturity of a participation, as its terms or its provider have it. */
interface Maturity {
  occurredAt: Date;
  externalId?: string | null;
  webhookEventId?: string | null;
}

/**
 * Carries out the maturity of a participation in the caller's transaction: all that there is goes to the wallet or, as its
 * owner asked, into a new participation of the same strategy. The caller has locked the user, then the participation. Its
 * process starts that of the new one when it reads that it has matured.
 */
export async function matureParticipation(
  tx: Tx,
  participation: LockedParticipation,
  policy: Policy,
  maturity: Maturity,
  at: Date,
): Promise<void> {
  const { id, userId, currency, earnedMinor } = participation;
  const principal = principalMinor(participation);
  const net = netMinor({ principalMinor: principal, earnedMinor, penaltyMinor: 0 });
  const plan = await planNextTerm(tx, participation, { principalMinor: principal, netMinor: net }, policy);
  const nextMinor = plan.next?.amountMinor ?? 0;
  const lines: LedgerLine[] = [
    { account: 'investments', currency, amountMinor: nextMinor },
    { account: 'wallet', userId, currency, amountMinor: net - nextMinor },
  ];
  const reference = { kind: 'participation-maturity', subjectId: id } as const;
  const end = { to: 'MATURED', reference, penaltyMinor: 0 } as const;
  const ending = { ...end, lines, transactionId: v7(), ...maturity };
  const endedAt = await payOutParticipation(tx, participation, ending, at);
  const next = plan.next && (await beginNextTerm(tx, participation, plan.next, endedAt));
  await queueParticipationMail(tx, id, 'matured', (data) =>
    participationMaturedLetter(data, { walletMinor: net - nextMinor, next, notReinvested: plan.refused }),
  );
}
