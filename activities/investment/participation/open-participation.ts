import {
  participationStanding,
  type ParticipationStanding,
} from '../../../db/investment/standing/participation-standing.reads';
import {
  insertParticipation,
  investedMinor,
  nextParticipationNumber,
  unpaidParticipations,
} from '../../../db/investment/participation/participation.transitions';
import {
  lockStrategyOffer,
  reserveCapacity,
  type StrategyOffer,
} from '../../../db/investment/strategy/strategy-capacity.transitions';
import { lockLevel } from '../../../db/kyc/standing/user-standing.writes';
import { InsufficientBalance } from '../../../db/ledger/ledger.transitions';
import type { Policy } from '../../../db/policy/config';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { toMinor } from '../../../workflows/commerce/money.rules';
import type { PaymentOffer } from '../../../workflows/commerce/payment/payment-page.contract';
import { payUntil } from '../../../workflows/commerce/payment/payment.rules';
import { businessRefusal, refusal } from '../../../workflows/errors';
import { requireOffered } from '../../../workflows/investment/participation/require-offered';
import type {
  OpenedParticipation,
  ParticipationActivities,
} from '../../../workflows/investment/participation/participation.contract';
import { simpleInterestMinor } from '../../../workflows/investment/participation/participation.rules';
import { levelMissingToInvest } from '../../../workflows/kyc/kyc-gate.rules';
import { requireLevel } from '../../../workflows/kyc/require-level';
import { requireInTime } from '../../commerce/checkout/in-time';
import { openPayableAttempt, payableOffer } from '../../commerce/payment/open-payable-attempt';
import type { Payments } from '../../commerce/payment/payment-offer';
import { requireParticipation, stateOf } from './participation-state';
import { queueTransferMail } from './queue-participation-mail';
import { daysAfter, settleParticipation } from './settle-participation';
import { termsOf } from './terms';

type Open = Parameters<ParticipationActivities['openParticipation']>[0];

/** The means of new payments, and the numbers of the policy. */
export interface InvestmentTerms {
  payments: Payments;
  policy: Policy;
}

/**
 * Opens a participation. The user is locked first, so that what their level permits is decided once; then the strategy, so
 * that neither its terms nor its status differ from what the participation gets. One that was opened before is only read.
 * Refused with the codes of POST /investment/participations. Fails after `notAfter`.
 */
export const openParticipation = (
  { db, ...terms }: { db: Db } & InvestmentTerms,
  command: Open,
): Promise<OpenedParticipation> =>
  inTransaction(db, async (tx) => {
    const level = await lockLevel(tx, command.userId);
    const before = await participationStanding(tx, command.participationId);
    if (before) return opened(before, await standingOffer(tx, before));
    requireInTime(command.notAfter);

    const offer = requireOffered(await lockStrategyOffer(tx, command.strategyId), command);
    const invested = {
      investedMinor: await investedMinor(tx, command.userId),
      amountMinor: command.amountMinor,
    };
    const limitMinor = toMinor(terms.policy.kycStandardLimit, command.currency);
    requireLevel(levelMissingToInvest({ level: level ?? 'NONE', ...invested }, limitMinor));
    await requireFewUnpaid(tx, command, terms.policy);
    if (!(await reserveCapacity(tx, offer.id, command.amountMinor)))
      throw refusal('STRATEGY_CAPACITY_REACHED');
    const payBy = payUntil(terms.policy, {
      method: command.paymentMethod,
      placedAt: command.at,
      at: command.at,
    });
    await insert(tx, command, offer, payBy);
    const payment = await pay(tx, command, payBy, terms.payments);
    const standing = await participationStanding(tx, command.participationId);
    if (!standing) throw new Error(`The participation ${command.participationId} was not opened.`);
    return opened(standing, payment);
  });

/** Refuses one more that would wait for its payment, since each keeps capacity that others could pay for. */
async function requireFewUnpaid(
  tx: Tx,
  { userId, paymentMethod }: Open,
  { pendingParticipations: most }: Policy,
): Promise<void> {
  if (paymentMethod === 'BALANCE' || (await unpaidParticipations(tx, userId)) < most) return;
  throw businessRefusal(
    'TOO_MANY_UNPAID_INVESTMENTS',
    `You have ${most} investments that wait for their payment. Pay for one of them, or wait until it is cancelled.`,
  );
}

async function insert(tx: Tx, command: Open, offer: StrategyOffer, payBy: string): Promise<void> {
  const at = new Date(command.at);
  const {
    participationId: id,
    userId,
    amountMinor,
    currency,
    durationDays,
    compounding,
    autoReinvest,
  } = command;
  await insertParticipation(tx, {
    ...termsOf(offer),
    ...{ id, userId, amountMinor, currency, durationDays, compounding, autoReinvest },
    number: command.number ?? (await nextParticipationNumber(tx)),
    origin: 'PLATFORM',
    status: 'PENDING_PAYMENT',
    paymentMethod: command.paymentMethod,
    paymentStatus: 'PENDING',
    paymentExpiresAt: new Date(payBy),
    createdAt: at,
    updatedAt: at,
  });
}

/** Pays from the wallet at once, or opens the attempt to pay; null: it is paid. Refused: INSUFFICIENT_BALANCE. */
async function pay(tx: Tx, command: Open, payBy: string, payments: Payments): Promise<PaymentOffer | null> {
  const { paymentMethod: method, participationId, attemptId, at } = command;
  const participation = await requireParticipation(tx, participationId);
  if (method !== 'BALANCE') {
    const { number, amountMinor, currency } = participation;
    const attempt = { participationId, number, attemptId, method, amountMinor, currency };
    const offer = await openPayableAttempt(tx, payments, {
      ...attempt,
      openedAt: at,
      expiresAt: payBy,
    });
    const { accountHolder } = payments;
    if (offer.bankDetails)
      await queueTransferMail(tx, participationId, {
        ...offer.bankDetails,
        accountHolder,
        payBy: new Date(payBy),
      });
    return offer;
  }
  try {
    await settleParticipation(tx, participation, { method, provider: null, at });
    return null;
  } catch (error) {
    if (!(error instanceof InsufficientBalance)) throw error;
    throw refusal('INSUFFICIENT_BALANCE', 'Your balance does not cover this amount.');
  }
}

/** The way to pay one that was opened before, while it waits for that. */
const standingOffer = (
  tx: Tx,
  { id, status }: Pick<ParticipationStanding, 'id' | 'status'>,
): Promise<PaymentOffer | null> =>
  status === 'PENDING_PAYMENT' ? payableOffer(tx, { participationId: id }) : Promise.resolve(null);

function opened(standing: ParticipationStanding, payment: PaymentOffer | null): OpenedParticipation {
  const { amountMinor, durationDays, createdAt } = standing;
  const interest = (rateBp: number): number => simpleInterestMinor(amountMinor, rateBp, durationDays);
  return {
    standing: stateOf(standing),
    number: standing.number,
    strategyName: standing.strategyName,
    expectedMinor: {
      min: interest(standing.returnMinBp),
      max: interest(standing.returnMaxBp),
      expected: interest(standing.returnExpectedBp),
    },
    maturityDate: daysAfter(createdAt, durationDays).toISOString(),
    payment,
    createdAt: createdAt.toISOString(),
  };
}
