import { v7 } from 'uuid';
import {
  lockParticipation,
  type LockedParticipation,
} from '../../../db/investment/participation/participation.transitions';
import { awaitsPayout } from '../../../db/investment/provider-event/waiting-payout.reads';
import { withdrawalLines } from '../../../db/investment/withdrawal/withdrawal-ledger.transitions';
import {
  findWithdrawal,
  insertWithdrawal,
  type Withdrawal,
} from '../../../db/investment/withdrawal/withdrawal.transitions';
import { lockLevel } from '../../../db/kyc/standing/user-standing.writes';
import type { Policy } from '../../../db/policy/config';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { businessDateAfter } from '../../../workflows/commerce/payout/transfer-out.rules';
import { refusal, refusalOf } from '../../../workflows/errors';
import { requireWithdrawable } from '../../../workflows/investment/withdrawal/require-withdrawable';
import type {
  WithdrawalActivities,
  WithdrawalState,
} from '../../../workflows/investment/withdrawal/withdrawal.contract';
import type { WithdrawalTerms } from '../../../workflows/investment/withdrawal/withdrawal-terms.rules';
import { requireInTime } from '../../commerce/checkout/in-time';
import { senderOf, type Payouts } from '../../providers/payouts';
import { payOutParticipation } from '../participation/pay-out-participation';
import { queueWithdrawalMail } from './queue-withdrawal-mail';
import { sealedDestination, type SealedDestination } from './sealed-destination';
import { stateOf } from './withdrawal-state';

type Request = Parameters<WithdrawalActivities['requestWithdrawal']>[0];

export interface WithdrawalDeps {
  db: Db;
  payouts: Payouts;
  policy: Pick<Policy, 'payoutBusinessDays' | 'reconciliationStopsPayouts' | 'transferOutDays'>;
}

/**
 * Withdraws a participation: it ends, its money goes to the wallet or on its way, and its owner gets a mail. The same
 * withdrawal again only returns its state. Refused: PARTICIPATION_NOT_FOUND, VALIDATION_ERROR
 * (WITHDRAWAL_DETAILS_MISSING), what `requireWithdrawable` refuses, and WITHDRAWAL_NOT_ALLOWED (PAYOUT_REPORTED) while its
 * provider's report of its payout is to be decided. Fails after `notAfter`.
 */
export const requestWithdrawal = (deps: WithdrawalDeps, request: Request): Promise<WithdrawalState> =>
  inTransaction(deps.db, async (tx) => {
    const { withdrawalId, participationId, userId, acceptPenalty } = request;
    const level = await lockLevel(tx, userId);
    const before = await findWithdrawal(tx, withdrawalId);
    if (before) return stateOf(before, deps.policy);
    requireInTime(request.notAfter);
    const participation = await lockParticipation(tx, participationId);
    if (level === null || participation?.userId !== userId) throw noSuchParticipation();
    const at = new Date(request.at);
    const terms = requireWithdrawable(participation, { level, acceptPenalty }, at);
    if (await awaitsPayout(tx, participationId)) throw payoutReported();
    const destination = await sealedDestination(tx, request);
    return stateOf(await withdraw(tx, deps, { request, participation, terms, destination, at }), deps.policy);
  });

interface Permitted {
  request: Request;
  participation: LockedParticipation;
  terms: WithdrawalTerms;
  /** Null: to the wallet. */
  destination: SealedDestination | null;
  at: Date;
}

async function withdraw(
  tx: Tx,
  { payouts, policy }: WithdrawalDeps,
  { request: { withdrawalId: id, method }, participation, terms, destination, at }: Permitted,
): Promise<Pick<Withdrawal, 'status' | 'provider' | 'createdAt'>> {
  const { id: participationId, userId, currency, earnedMinor: returnsMinor } = participation;
  const { principalMinor, penaltyMinor, netMinor } = terms;
  const isTransfer = destination !== null && netMinor > 0;
  const money = { id, userId, currency, netMinor };
  await payOutParticipation(
    tx,
    participation,
    {
      to: 'WITHDRAWN',
      reference: { kind: 'withdrawal', subjectId: id },
      penaltyMinor,
      lines: withdrawalLines(money, isTransfer),
      transactionId: v7(),
      occurredAt: at,
    },
    at,
  );
  const withdrawal = {
    ...{ participationId, method, principalMinor, returnsMinor, penaltyMinor, ...money },
    status: isTransfer ? 'PROCESSING' : 'COMPLETED',
    provider: isTransfer ? senderOf(payouts, destination.method) : null,
    details: isTransfer ? destination.sealed : null,
    maskedDetails: destination?.masked ?? null,
    estimatedOn: businessDateAfter(at, isTransfer ? policy.payoutBusinessDays : 0),
    createdAt: at,
    endedAt: isTransfer ? null : at,
  } as const;
  await insertWithdrawal(tx, withdrawal);
  await queueWithdrawalMail(tx, withdrawal, isTransfer ? 'REQUESTED' : 'PAID');
  return withdrawal;
}

const payoutReported = (): Error =>
  refusalOf({
    code: 'WITHDRAWAL_NOT_ALLOWED',
    reason: 'PAYOUT_REPORTED',
    message: 'The provider of this participation has reported a payout, which is being checked.',
  });

export const noSuchParticipation = (): Error => refusal('PARTICIPATION_NOT_FOUND');
