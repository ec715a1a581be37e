import { attemptsOf, closeAttempts } from '../../../db/commerce/payment/payment-attempt.transitions';
import { InsufficientBalance } from '../../../db/ledger/ledger.transitions';
import { entranceById, type Entrance } from '../../../db/partners/membership/entrance.reads';
import {
  changeEntrance,
  insertEntrance,
  lockOpenEntrance,
  nextEntranceNumber,
} from '../../../db/partners/membership/entrance.transitions';
import { partnerOfUser } from '../../../db/partners/membership/partner.reads';
import type { Policy } from '../../../db/policy/config';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { PLATFORM_CURRENCY, toMinor } from '../../../workflows/commerce/money.rules';
import type { PaymentOffer } from '../../../workflows/commerce/payment/payment-page.contract';
import { laterOf, payUntil } from '../../../workflows/commerce/payment/payment.rules';
import { refusal } from '../../../workflows/errors';
import {
  ENTRANCE_METHODS,
  type EntranceMethod,
} from '../../../workflows/partners/membership/membership.rules';
import type {
  EntranceActivities,
  OpenedEntrance,
} from '../../../workflows/partners/membership/entrance.contract';
import { openPayableAttempt, payableOffer } from '../../commerce/payment/open-payable-attempt';
import { isStillOffered, type Payments } from '../../commerce/payment/payment-offer';
import { becomePartner } from './become-partner';
import { cancelEntrance } from './cancel-entrance';
import { entranceStateOf, joinedState } from './entrance-state';
import { queueEntranceTransferMail, withdrawEntranceTransferMail } from './queue-entrance-mail';
import { requireJoiner } from './require-joiner';
import { settleEntrance } from './settle-entrance';

type Open = Parameters<EntranceActivities['openEntrance']>[0];
type Paid = Omit<Open, 'paymentMethod'> & { paymentMethod: EntranceMethod };

/** The means of new payments, and the numbers of the policy. */
export interface EntranceTerms {
  payments: Payments;
  policy: Policy;
}

/**
 * Makes a user a partner where no fee is due; else opens the fee, or another way to pay the one that waits. The user is locked first, then what waits, and only then it is
 * looked whether they are a partner: a payment may have made them one while this waited. Refused with the codes of
 * POST /mlm/partner/join.
 */
export const openEntrance = (
  { db, ...terms }: { db: Db } & EntranceTerms,
  command: Open,
): Promise<OpenedEntrance> =>
  inTransaction(db, async (tx) => {
    const { userId, entranceId, partnerId, at } = command;
    await requireJoiner(tx, userId);
    const waiting = await lockOpenEntrance(tx, userId);
    const before = await entranceById(tx, entranceId);
    const partner = await partnerOfUser(tx, userId);
    // A repetition of the request that joined, or that opened what is over by now.
    if (before && before.status !== 'PENDING_PAYMENT')
      return { standing: await entranceStateOf(tx, before), payment: null };
    if (partner?.id === partnerId) return joined(tx, waiting);
    if (partner) throw refusal('ALREADY_PARTNER');
    const feeMinor = toMinor(terms.policy.partnerEntranceFee, PLATFORM_CURRENCY);
    if (feeMinor > 0) return openFee(tx, waiting, { ...command, feeMinor }, terms);
    if (waiting) await cancelEntrance(tx, waiting, at);
    await becomePartner(tx, { partnerId, userId, at });
    return joined(tx, waiting);
  });

const joined = async (tx: Tx, waiting: Entrance | null): Promise<OpenedEntrance> => ({
  standing: await joinedState(tx, waiting),
  payment: null,
});

async function openFee(
  tx: Tx,
  waiting: Entrance | null,
  command: Open & { feeMinor: number },
  terms: EntranceTerms,
): Promise<OpenedEntrance> {
  const { paymentMethod } = command;
  if (paymentMethod === null)
    throw refusal('VALIDATION_ERROR', 'An entrance fee is due. Choose how you pay it.', {
      paymentMethod: [`must be one of ${ENTRANCE_METHODS.join(', ')}, since an entrance fee is due`],
    });
  // One that waits keeps its amount.
  const entrance = waiting ?? (await insert(tx, { ...command, paymentMethod }, terms));
  const payment = await pay(tx, entrance, { ...command, paymentMethod }, terms);
  const next = await entranceById(tx, entrance.id);
  if (!next) throw new Error(`The entrance ${entrance.id} was not opened.`);
  return { standing: await entranceStateOf(tx, next), payment };
}

async function insert(
  tx: Tx,
  { entranceId: id, userId, paymentMethod, feeMinor, at }: Paid & { feeMinor: number },
  { policy }: EntranceTerms,
): Promise<Entrance> {
  const now = new Date(at);
  await insertEntrance(tx, {
    id,
    userId,
    number: await nextEntranceNumber(tx),
    status: 'PENDING_PAYMENT',
    amountMinor: feeMinor,
    currency: PLATFORM_CURRENCY,
    paymentMethod,
    paymentStatus: 'PENDING',
    paymentExpiresAt: new Date(payUntil(policy, { method: paymentMethod, placedAt: at, at })),
    createdAt: now,
    updatedAt: now,
  });
  const entrance = await lockOpenEntrance(tx, userId);
  if (!entrance) throw new Error(`The entrance ${id} was not inserted.`);
  return entrance;
}

/** Pays from the wallet at once, or returns a way to pay; null: it is paid. Refused: INSUFFICIENT_BALANCE, NOT_PAYABLE. */
async function pay(
  tx: Tx,
  entrance: Entrance,
  { partnerId, paymentMethod: method, attemptId, at }: Paid,
  { payments, policy }: EntranceTerms,
): Promise<PaymentOffer | null> {
  if (method === 'BALANCE') return payFromWallet(tx, entrance, { partnerId, at });
  const attempts = await attemptsOf(tx, { entranceId: entrance.id });
  const [latest] = attempts;
  const isOpen = latest !== undefined && isStillOffered(payments, latest, { method, at });
  if (isOpen || latest?.id === attemptId) return payableOffer(tx, { entranceId: entrance.id });
  if (attempts.length >= policy.paymentAttempts)
    throw refusal('NOT_PAYABLE', 'Too many attempts to pay this entrance fee. Wait until it is cancelled.');
  return openAttempt(tx, entrance, { method, attemptId, at }, { payments, policy });
}

async function openAttempt(
  tx: Tx,
  entrance: Entrance,
  { method, attemptId, at }: { method: 'CARD' | 'BANK_TRANSFER'; attemptId: string; at: string },
  { payments, policy }: EntranceTerms,
): Promise<PaymentOffer> {
  const { id: entranceId, number, amountMinor, currency, createdAt } = entrance;
  const expiresAt = payUntil(policy, { method, placedAt: createdAt.toISOString(), at });
  const money = { method, amountMinor, currency };
  const offer = await openPayableAttempt(tx, payments, {
    ...{ entranceId, attemptId, number, ...money, openedAt: at, expiresAt },
  });
  // Another attempt never shortens the time to pay.
  const until = new Date(laterOf(entrance.paymentExpiresAt.toISOString(), expiresAt));
  const changes = { paymentMethod: method, paymentStatus: 'PENDING', paymentExpiresAt: until } as const;
  await changeEntrance(tx, entranceId, changes, new Date(at));
  const { bankDetails } = offer;
  if (bankDetails)
    await queueEntranceTransferMail(tx, entrance, {
      ...bankDetails,
      accountHolder: payments.accountHolder,
      payBy: new Date(expiresAt),
    });
  else await withdrawEntranceTransferMail(tx, entranceId);
  return offer;
}

async function payFromWallet(
  tx: Tx,
  entrance: Entrance,
  { partnerId, at }: Pick<Paid, 'partnerId' | 'at'>,
): Promise<null> {
  try {
    await closeAttempts(tx, { entranceId: entrance.id }, 'CANCELLED', at);
    await settleEntrance(tx, entrance, { partnerId, method: 'BALANCE', provider: null, at });
    return null;
  } catch (error) {
    if (!(error instanceof InsufficientBalance)) throw error;
    throw refusal('INSUFFICIENT_BALANCE', 'Your balance does not cover the entrance fee.');
  }
}
