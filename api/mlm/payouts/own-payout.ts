import { z } from 'zod';
import { payoutAccount } from '../../../db/commerce/payout/payout-account.reads';
import { decisionMade, ownPayout, type OwnPayout } from '../../../db/commerce/payout/payout.reads';
import { amountInWords, PLATFORM_CURRENCY, toMinor } from '../../../workflows/commerce/money.rules';
import {
  cancelPayout,
  payoutProcess,
  requestPayout,
} from '../../../workflows/commerce/payout/payout.contract';
import {
  noSuchPayout,
  obstacleRefusal,
  requireDecidable,
} from '../../../workflows/commerce/payout/payout-refusals';
import { payoutObstacles, type PayoutKind } from '../../../workflows/commerce/payout/payout.rules';
import { walletWithdrawalProcess } from '../../../workflows/commerce/payout/wallet-withdrawal.contract';
import type { Context } from '../../http/handler-context';
import { noteOf } from '../../http/idempotency/note';
import { money } from '../../http/request/fields';
import { accountGone } from '../../users/own-account';
import { notAPartner } from '../own-partner';

/** The process of a kind of payouts. */
export const processOf = (kind: PayoutKind): typeof payoutProcess =>
  kind === 'PARTNER' ? payoutProcess : walletWithdrawalProcess;

/** The body of a request for a payout. */
export const PayoutRequest = z.object({
  amount: money({ min: 0.01 }).meta({ description: 'In the currency of the balance.', example: 50 }),
});

/** The refusals of a request, without NOT_A_PARTNER. */
export const REQUEST_ERRORS = {
  FORBIDDEN: 403,
  KYC_REQUIRED: 403,
  PAYOUT_DETAILS_MISSING: 400,
  BELOW_MINIMUM: 400,
  PAYOUT_PENDING: 409,
  INSUFFICIENT_BALANCE: 400,
} as const;

/** Requests a payout of the caller; the same request again returns what it made. */
export async function requestOwnPayout(
  context: Context<'user'>,
  kind: PayoutKind,
  amount: number,
): Promise<OwnPayout> {
  const { caller, db, mint, processes, request } = context;
  const { payout: payoutId } = await mint('payout');
  const by = { userId: caller.id, kind, id: payoutId };
  const done = await ownPayout(db, by);
  if (done) return done;
  const currency = PLATFORM_CURRENCY;
  const amountMinor = toMinor(amount, currency);
  await requireGranted(context, { kind, amountMinor, currency });
  await processes.open(
    processOf(kind),
    { payoutId, userId: caller.id, label: amountInWords(amountMinor, currency) },
    requestPayout,
    { kind, amountMinor, currency },
    { updateId: request.idempotencyId },
  );
  const made = await ownPayout(db, by);
  if (!made) throw new Error(`There is no payout ${payoutId}.`);
  return made;
}

/** Refuses a request before a process starts for nothing; it is decided again with the locks. */
async function requireGranted(
  { caller, db, policy }: Context<'user'>,
  { kind, amountMinor, currency }: { kind: PayoutKind; amountMinor: number; currency: string },
): Promise<void> {
  const account = await payoutAccount(db, { userId: caller.id, kind, currency });
  if (!account) throw accountGone();
  if (kind === 'PARTNER' && account.partnerId === null) throw notAPartner();
  const minimum = { minor: toMinor(policy.payoutMinimum, currency), currency };
  const [obstacle] = payoutObstacles(account, amountMinor, minimum.minor);
  if (obstacle !== undefined) throw obstacleRefusal(obstacle, minimum);
}

/** Cancels a payout of the caller that nobody has decided on. Refused: PAYOUT_NOT_FOUND or WITHDRAWAL_NOT_FOUND, NOT_CANCELLABLE. */
export async function cancelOwnPayout(
  context: Context<'user'>,
  kind: PayoutKind,
  id: string,
): Promise<OwnPayout> {
  const { caller, db, processes, request } = context;
  const by = { userId: caller.id, kind, id };
  const payout = await ownPayout(db, by);
  if (!payout) throw noSuchPayout(kind);
  const noteId = await noteOf(context, null);
  if ((await decisionMade(db, noteId)) !== null) return payout;
  requireDecidable('CANCEL', { ...payout, provider: null }, true);
  await processes.open(
    processOf(kind),
    {
      payoutId: id,
      userId: caller.id,
      label: amountInWords(payout.amountMinor, payout.currency),
      exists: true,
    },
    cancelPayout,
    { noteId, byOwner: true },
    { updateId: request.idempotencyId },
  );
  return (await ownPayout(db, by)) ?? payout;
}
