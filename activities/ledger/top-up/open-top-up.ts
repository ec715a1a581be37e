import { topUpById, topUpNumber, type TopUpRow } from '../../../db/ledger/top-up/top-up.reads';
import { insertTopUp, lockPayer, openTopUps } from '../../../db/ledger/top-up/top-up.transitions';
import type { Policy } from '../../../db/policy/config';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { PaymentOffer } from '../../../workflows/commerce/payment/payment-page.contract';
import { payUntil } from '../../../workflows/commerce/payment/payment.rules';
import { businessRefusal, refusal } from '../../../workflows/errors';
import type { OpenedTopUp, TopUpActivities } from '../../../workflows/ledger/top-up/top-up.contract';
import { requireTopUpAmount } from '../../../workflows/ledger/top-up/require-top-up-amount';
import { openPayableAttempt, payableOffer } from '../../commerce/payment/open-payable-attempt';
import type { Payments } from '../../commerce/payment/payment-offer';
import { queueTopUpTransferMail } from './queue-top-up-mail';
import { topUpStateOf } from './top-up-state';

type Open = Parameters<TopUpActivities['openTopUp']>[0];

/** The means of new payments, and the numbers of the policy. */
export interface TopUpDeps {
  db: Db;
  payments: Payments;
  policy: Policy;
}

/**
 * Opens a top-up and the attempt to pay it; one that was opened before is only read. The user is locked first, so that
 * requests at the same moment do not open more than the policy allows. Refused with the codes of POST
 * /users/me/balance/top-up.
 */
export const openTopUp = ({ db, payments, policy }: TopUpDeps, command: Open): Promise<OpenedTopUp> =>
  inTransaction(db, async (tx) => {
    const { topUpId, userId } = command;
    const mayPay = await lockPayer(tx, userId);
    const before = await topUpById(tx, topUpId);
    if (before) return { standing: await topUpStateOf(tx, before), payment: await standingOffer(tx, before) };
    if (!mayPay) throw refusal('FORBIDDEN', 'This account cannot top up its balance.');
    requireTopUpAmount(command, policy);
    await requireFewOpen(tx, userId, policy);
    const topUp = await insert(tx, command, policy);
    return {
      standing: await topUpStateOf(tx, topUp),
      payment: await openAttempt(tx, topUp, command, payments),
    };
  });

async function requireFewOpen(tx: Tx, userId: string, { pendingTopUps: most }: Policy): Promise<void> {
  if ((await openTopUps(tx, userId)) < most) return;
  throw businessRefusal(
    'TOO_MANY_UNPAID_TOP_UPS',
    `You have ${most} top-ups that wait for their payment. Pay or cancel one of them first.`,
  );
}

async function insert(tx: Tx, command: Open, policy: Policy): Promise<TopUpRow> {
  const { topUpId: id, userId, number, amountMinor, currency, paymentMethod, at } = command;
  const now = new Date(at);
  await insertTopUp(tx, {
    ...{ id, userId, amountMinor, currency, paymentMethod },
    number: number ?? (await topUpNumber(tx, id)),
    status: 'PENDING_PAYMENT',
    paymentStatus: 'PENDING',
    paymentExpiresAt: new Date(payUntil(policy, { method: paymentMethod, placedAt: at, at })),
    createdAt: now,
    updatedAt: now,
  });
  const topUp = await topUpById(tx, id);
  if (!topUp) throw new Error(`The top-up ${id} was not inserted.`);
  return topUp;
}

async function openAttempt(
  tx: Tx,
  topUp: TopUpRow,
  { attemptId, at }: Open,
  payments: Payments,
): Promise<PaymentOffer> {
  const { id: topUpId, number, paymentMethod: method, amountMinor, currency, paymentExpiresAt } = topUp;
  const money = { method, amountMinor, currency };
  const offer = await openPayableAttempt(tx, payments, {
    ...{ topUpId, number, attemptId, ...money, openedAt: at, expiresAt: paymentExpiresAt.toISOString() },
  });
  const { bankDetails } = offer;
  const { accountHolder } = payments;
  if (bankDetails)
    await queueTopUpTransferMail(tx, topUp, { ...bankDetails, accountHolder, payBy: paymentExpiresAt });
  return offer;
}

/** The way to pay one that was opened before, while it waits for that. */
const standingOffer = (tx: Tx, { id, status }: TopUpRow): Promise<PaymentOffer | null> =>
  status === 'PENDING_PAYMENT' ? payableOffer(tx, { topUpId: id }) : Promise.resolve(null);
