import { z } from 'zod';
import { clearNotesOn } from '../../../db/administration/idempotency/request-note.writes';
import {
  participationToWithdraw,
  requestedWithdrawal,
  type RequestedWithdrawal,
} from '../../../db/investment/withdrawal/requested-withdrawal.reads';
import { carriedOutUntil } from '../../../workflows/commerce/checkout/checkout.contract';
import { moneyLabel } from '../../../workflows/commerce/order/order-label.rules';
import { refusal, refusalIn } from '../../../workflows/errors';
import { requireWithdrawable } from '../../../workflows/investment/withdrawal/require-withdrawable';
import {
  requestWithdrawal,
  withdrawalProcess,
} from '../../../workflows/investment/withdrawal/withdrawal.contract';
import { endpoint } from '../../http/endpoint';
import type { Context } from '../../http/handler-context';
import { financialPerMinute } from '../../http/limits/limits';
import { destinationNote, enteredDestination, Withdrawal } from './withdrawal-details';
import { RequestedWithdrawalView, requestedWithdrawalView } from './withdrawal.view';
import { idOf } from '../../http/request/ids/id-of';

export const withdrawParticipation = endpoint({
  id: 'withdrawParticipation',
  returns: 'The withdrawal',
  method: 'post',
  path: '/investment/participations/:id/withdraw',
  summary: 'Withdraw a participation',
  description:
    'Ends the participation and pays out its principal and returns: to the balance at once, else by a transfer within three business days; a transfer that is refused goes to the balance. Within the lock period a penalty is kept, which must be accepted. KYC level STANDARD is needed. While a payout that its provider has reported is being checked, it is refused with WITHDRAWAL_NOT_ALLOWED and the reason PAYOUT_REPORTED.',
  tag: 'Investment',
  auth: 'user',
  limit: financialPerMinute(1),

  params: z.object({ id: idOf('participation', 'ACTIVE') }),
  body: Withdrawal,
  example: {
    withdrawalMethod: 'BALANCE',
    useSavedDetails: undefined,
    details: undefined,
  },
  success: 200,
  data: RequestedWithdrawalView,
  errors: {
    PARTICIPATION_NOT_FOUND: 404,
    ALREADY_WITHDRAWN: 400,
    ALREADY_MATURED: 400,
    KYC_REQUIRED: 403,
    WITHDRAWAL_NOT_ALLOWED: 400,
    LOCK_PERIOD_ACTIVE: 400,
    PENALTY_NOT_ACCEPTED: 400,
  },

  async handle({ params: { id }, body }, context) {
    const { caller, db, mint } = context;
    const { withdrawal: withdrawalId } = await mint('withdrawal', 'note');
    const done =
      (await requestedWithdrawal(db, caller.id, withdrawalId)) ??
      (await withdraw({ withdrawalId, participationId: id }, body, context));
    return requestedWithdrawalView(done);
  },
});

async function withdraw(
  ids: { withdrawalId: string; participationId: string },
  body: z.output<typeof Withdrawal>,
  context: Context<'user'>,
): Promise<RequestedWithdrawal> {
  const { caller, db, processes, request } = context;
  const { withdrawalId, participationId } = ids;
  const { withdrawalMethod: method, acceptPenalty = false } = body;
  const destination = await enteredDestination(body, context);
  const participation = await participationToWithdraw(db, caller.id, participationId);
  if (!participation) throw refusal('PARTICIPATION_NOT_FOUND');
  // Before a process starts for nothing; decided again with the locks.
  const { netMinor } = requireWithdrawable(
    participation,
    { level: participation.level, acceptPenalty },
    new Date(),
  );
  const detailsNoteId = destination && (await destinationNote(withdrawalId, destination, context));
  const { number, currency } = participation;
  const label = `${moneyLabel({ number, currency, amountMinor: netMinor })} · ${method}`;
  try {
    await processes.open(
      withdrawalProcess,
      { ...ids, userId: caller.id, label },
      requestWithdrawal,
      { method, acceptPenalty, detailsNoteId, notAfter: carriedOutUntil(new Date()) },
      { updateId: request.idempotencyId },
    );
  } catch (error) {
    if (detailsNoteId !== null && refusalIn(error)) await clearNotesOn(db, withdrawalId);
    throw error;
  }
  const done = await requestedWithdrawal(db, caller.id, withdrawalId);
  if (!done) throw new Error(`There is no withdrawal ${withdrawalId}.`);
  return done;
}
