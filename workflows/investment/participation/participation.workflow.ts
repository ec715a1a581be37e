import { continueAsNew, type ActivityInterfaceFor } from '@temporalio/workflow';
import { lookForMoney } from '../../commerce/payment/look-for-money';
import { requireNotRefused, withPage } from '../../commerce/payment/payment-page';
import { refusalIn } from '../../errors';
import { Entity } from '../../kit/entity';
import type { Next } from '../../kit/lifecycle';
import { handlersFinished, localTransactions, now, startDetached } from '../../kit/proxies';
import { notify } from '../../kit/signals';
import { kycReviewProcess, verificationUrged } from '../../kyc/review/kyc-review.contract';
import { DAY_MS } from '../../kit/values/durations.rules';
import * as contract from './participation.contract';
import type {
  OpenedParticipation,
  OpenParticipation,
  ParticipationActivities,
  ParticipationInput,
  ParticipationResult,
  ParticipationState,
} from './participation.contract';

/** One participation from its request, over its payment, to its maturity years later or its withdrawal. */
export async function participation(input: ParticipationInput): Promise<ParticipationResult> {
  const { participationId, userId, standing, exists } = input;
  const local = localTransactions<ParticipationActivities>();
  let { moneyLookedFor = false } = input;
  const held = new Entity<ParticipationState>({
    id: participationId,
    state: standing,
    reading: 'read the state of the participation',
    read: () => local.participationState({ participationId }),
    ...(exists && { exists }),
    renew: (state) => continueAsNew<typeof participation>({ ...input, standing: state, moneyLookedFor }),
  });
  held.opens(contract.openParticipation, (command) => open(input, command), {
    stateIn: (opened) => opened.standing,
    complete: (opened) => withPaymentPage(opened, held),
    description: 'Put money into a strategy.',
  });
  held.decides(
    contract.cancelParticipation,
    ({ noteId }) => local.cancelParticipation({ participationId, noteId, at: now() }),
    { stateIn: (state) => state, description: 'Cancel it while it waits for its payment.' },
  );
  held.hears(contract.participationPaymentReported, 'A provider reported on its payment.');
  held.hears(contract.participationMoved, 'Another process has changed it.');
  // One that its provider reported, or that continues another, was not requested here.
  let isMadeElsewhere = exists === true && standing === undefined;
  const { expire, mature, giveUpPayment } = movesOf(input, held, local);

  return held.follow<ParticipationResult>({
    async next(state): Promise<Next<ParticipationResult>> {
      const { status, payBy, label, successor } = state;
      if (isMadeElsewhere) {
        isMadeElsewhere = false;
        await held.step('raise the priority of the review', () => urgeReview(local, { userId }));
      }
      if (state.pagesLeft && !moneyLookedFor) {
        await giveUpPayment();
        moneyLookedFor = true;
      }
      if (status === 'PENDING_PAYMENT')
        return {
          words: `${label}. Waiting for payment until ${payBy}.`,
          summary: `payment window until ${payBy}`,
          until: payBy,
          async whenDue() {
            await expire();
            moneyLookedFor = held.state?.status !== 'PENDING_PAYMENT';
          },
        };
      if (status === 'ACTIVE') return waitUntilMature(state, mature);
      // Also where the step that made it was carried out, and this process was lost before it started the other.
      if (successor)
        await startDetached(contract.participationProcess, { ...successor, userId, exists: true });
      return { ended: status };
    },
    closing: CLOSING,
    refused: 'REFUSED',
    abandoned: 'ABANDONED',
  });
}

/** The moves that the process makes by itself. */
const movesOf = (
  { participationId, userId }: ParticipationInput,
  held: Entity<ParticipationState>,
  local: ActivityInterfaceFor<ParticipationActivities>,
) => ({
  /** Cancels it, unless its money is found. */
  expire: async (): Promise<void> => {
    await lookForMoney({ participationId }, held, local);
    await held.move('cancel the unpaid participation', () =>
      local.expireParticipation({ participationId, at: now() }),
    );
  },

  mature: (): Promise<void> =>
    held.move('pay out the matured participation', () =>
      local.matureParticipation({ participationId, userId, at: now() }),
    ),

  /** Closes the page of a payment that nobody owes any more; money that was paid on it meanwhile goes back. */
  giveUpPayment: async (): Promise<void> => {
    // A page that is being opened can be closed only when it is known.
    await handlersFinished();
    await lookForMoney({ participationId }, held, local);
  },
});

/** Opens it; the review that a large investment waits for comes first, also where it was refused for want of the level. */
async function open(input: ParticipationInput, command: OpenParticipation): Promise<OpenedParticipation> {
  const local = localTransactions<ParticipationActivities>();
  const { userId } = input;
  const { amountMinor, currency } = command;
  try {
    const opened = await local.openParticipation({ ...input, ...command, at: now() });
    await urgeReview(local, { userId });
    return opened;
  } catch (error) {
    if (refusalIn(error)?.code === 'KYC_REQUIRED')
      await urgeReview(local, { userId, refused: { amountMinor, currency } });
    throw error;
  }
}

/** Puts the open verification of an investor first, where a large investment asks for it, and tells its process. */
async function urgeReview(
  local: ActivityInterfaceFor<ParticipationActivities>,
  investor: Omit<Parameters<ParticipationActivities['urgeReview']>[0], 'at'>,
): Promise<void> {
  const urged = await local.urgeReview({ ...investor, at: now() });
  if (urged) await notify(kycReviewProcess, urged, verificationUrged);
}

/** Adds the page of a card payment, where another company opens it. One that the company refuses has ended by that. */
async function withPaymentPage(
  { payment, ...opened }: OpenedParticipation,
  held: Entity<ParticipationState>,
): Promise<OpenedParticipation> {
  if (payment === null) return { ...opened, payment };
  const offered = await withPage({ ...opened, payment });
  if (offered.payment.isRefused) held.readAgain();
  return requireNotRefused(offered);
}

/** A wait for the maturity. One that is mature and awaits a payout looks again every day, besides when it is told. */
function waitUntilMature(
  { label, maturesAt, awaitsPayout }: ParticipationState,
  whenDue: () => Promise<void>,
) {
  const words = `${label}. Runs until ${maturesAt}.`;
  if (maturesAt === null) return { words };
  if (!awaitsPayout || maturesAt > now())
    return { words, until: maturesAt, summary: `matures at ${maturesAt}`, whenDue };
  const waits = `${label}. Matured at ${maturesAt}, but a payout that its provider reported is to be decided first.`;
  return { words: waits, until: later(DAY_MS), summary: 'looks whether its payout is decided', whenDue };
}

const later = (ms: number): string => new Date(Date.now() + ms).toISOString();

const CLOSING: Record<ParticipationResult, string> = {
  MATURED: 'Matured: principal and returns are paid out, or reinvested.',
  WITHDRAWN: 'Withdrawn: principal and returns are paid out.',
  CANCELLED: 'Cancelled: it was not paid, and its capacity is free again.',
  REFUSED: 'Refused: nothing was invested.',
  ABANDONED: 'Abandoned by an operator; the participation stays as it is in the database.',
};
