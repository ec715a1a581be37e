import { decisionMade } from '../../../../db/commerce/payout/payout.reads';
import type { AdministeredPayout } from '../../../../db/commerce/payout/administered-payout.reads';
import { amountInWords } from '../../../../workflows/commerce/money.rules';
import type { PayoutDecision, PayoutState } from '../../../../workflows/commerce/payout/payout.contract';
import { paymentFailed, requireDecidable } from '../../../../workflows/commerce/payout/payout-refusals';
import type { PayoutAction } from '../../../../workflows/commerce/payout/payout.rules';
import { refusal } from '../../../../workflows/errors';
import type { Context } from '../../../http/handler-context';
import { processOf } from '../../../mlm/payouts/own-payout';
import type { PayoutDesk } from '../desk';
import { onePayout } from '../payout.view';
import type { DecisionDefinition } from '../../../../workflows/kit/decision';

/** A decision of the caller on one payout. */
interface Decision<Command extends PayoutDecision> {
  id: string;
  action: PayoutAction;
  /** The stored note of the request. */
  noteId: string;
  update: DecisionDefinition<PayoutState, [Command]>;
  command: Command;
}

/** Refuses with FORBIDDEN a decision of the caller on an own payout, before anything is stored of it. */
export async function payoutOfAnother(
  { db, caller }: Pick<Context<'admin'>, 'db' | 'caller'>,
  { kind }: PayoutDesk,
  id: string,
): Promise<AdministeredPayout> {
  const payout = await onePayout(db, kind, id);
  if (payout.userId === caller.id) throw refusal('FORBIDDEN', 'You cannot decide on your own payout.');
  return payout;
}

/**
 * Makes a decision through the process of its payout, which is started again if it was lost, and returns the payout after it. The
 * same decision again returns what it made.
 */
export async function decide<Command extends PayoutDecision>(
  context: Pick<Context<'admin'>, 'db' | 'caller' | 'processes' | 'request'>,
  desk: PayoutDesk,
  { id, action, noteId, update, command }: Decision<Command>,
): Promise<AdministeredPayout> {
  const { db, processes, request } = context;
  const payout = await payoutOfAnother(context, desk, id);
  const made = await decisionMade(db, noteId);
  if (made !== null) return concluded(payout, made);
  requireDecidable(action, payout);
  await processes.open(
    processOf(desk.kind),
    {
      payoutId: id,
      userId: payout.userId,
      label: amountInWords(payout.amountMinor, payout.currency),
      exists: true,
    },
    update,
    command,
    { updateId: request.idempotencyId },
  );
  return onePayout(db, desk.kind, id);
}

/** The payout after a decision that was made before; refuses with PAYMENT_FAILED when its transfer was refused. */
function concluded(payout: AdministeredPayout, { sending }: { sending: number | null }): AdministeredPayout {
  const { status, sendings, lastRefusal } = payout;
  if (sending === null) return payout;
  const mayArrive = (status === 'PROCESSING' || status === 'COMPLETED') && sendings === sending;
  if (!mayArrive) throw paymentFailed(lastRefusal);
  return payout;
}
