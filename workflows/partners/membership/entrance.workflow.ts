import { continueAsNew } from '@temporalio/workflow';
import { lookForMoney } from '../../commerce/payment/look-for-money';
import { requireNotRefused, withPage } from '../../commerce/payment/payment-page';
import { Entity } from '../../kit/entity';
import type { Next } from '../../kit/lifecycle';
import { handlersFinished, localTransactions, now } from '../../kit/proxies';
import * as contract from './entrance.contract';
import type {
  EntranceActivities,
  EntranceInput,
  EntranceResult,
  EntranceState,
  OpenedEntrance,
} from './entrance.contract';

/** One person who joins the partner programme: at once, or when the entrance fee is paid. */
export async function partnerEntrance(input: EntranceInput): Promise<EntranceResult> {
  const { userId } = input;
  const local = localTransactions<EntranceActivities>();
  const held = new Entity<EntranceState>({
    id: userId,
    reading: 'read the state of the entrance',
    read: () => local.entranceState({ userId }),
    ...(input.exists && { exists: true }),
    renew: () => continueAsNew<typeof partnerEntrance>(input),
  });
  held.opens(contract.openEntrance, (command) => local.openEntrance({ ...input, ...command, at: now() }), {
    stateIn: (opened) => opened.standing,
    complete: withPaymentPage,
    description: 'Join the partner programme.',
  });
  held.hears(contract.entrancePaymentReported, 'A provider reported on its payment.');

  let wasLookedFor = false;

  return held.follow<EntranceResult>({
    async next(state): Promise<Next<EntranceResult>> {
      if (state.status === 'JOINED' && state.pageLeftOf !== undefined && !wasLookedFor) {
        // It was paid otherwise: the page is closed, and money paid on it meanwhile goes back.
        await handlersFinished();
        await lookForMoney({ entranceId: state.pageLeftOf }, held, local);
        wasLookedFor = true;
      }
      if (state.status !== 'PENDING_PAYMENT') return { ended: state.status };
      const { entranceId, payBy, label } = state;
      return {
        words: `${label}. Waiting for payment until ${payBy}.`,
        summary: `payment window until ${payBy}`,
        until: payBy,
        // Cancels it, unless its money is found.
        async whenDue(): Promise<void> {
          await lookForMoney({ entranceId }, held, local);
          wasLookedFor = true;
          await held.move('cancel the unpaid entrance', () =>
            local.expireEntrance({ entranceId, at: now() }),
          );
        },
      };
    },
    closing: CLOSING,
    refused: 'REFUSED',
    abandoned: 'ABANDONED',
  });
}

/** Adds the page of a card payment, where another company opens it. */
async function withPaymentPage(opened: OpenedEntrance): Promise<OpenedEntrance> {
  const { payment } = opened;
  return payment === null ? opened : requireNotRefused(await withPage({ ...opened, payment }));
}

const CLOSING: Record<EntranceResult, string> = {
  JOINED: 'Joined: the user is a partner.',
  CANCELLED: 'Cancelled: the entrance fee was not paid.',
  REFUSED: 'Refused: nothing was opened.',
  ABANDONED: 'Abandoned by an operator; the entrance stays as it is in the database.',
};
