import { continueAsNew } from '@temporalio/workflow';
import { lookForMoney } from '../../commerce/payment/look-for-money';
import { requireNotRefused, withPage } from '../../commerce/payment/payment-page';
import { Entity } from '../../kit/entity';
import type { Next } from '../../kit/lifecycle';
import { durableTransactions, handlersFinished, localTransactions, now } from '../../kit/proxies';
import * as contract from './top-up.contract';
import type { OpenedTopUp, TopUpActivities, TopUpInput, TopUpResult, TopUpState } from './top-up.contract';

/** One amount that a user pays into their wallet, from the request until it is paid or cancelled. */
export async function topUp(input: TopUpInput): Promise<TopUpResult> {
  const { topUpId } = input;
  const local = localTransactions<TopUpActivities>();
  const durable = durableTransactions<TopUpActivities>();
  const held = new Entity<TopUpState>({
    id: topUpId,
    reading: 'read the state of the top-up',
    read: () => local.topUpState({ topUpId }),
    ...(input.exists && { exists: true }),
    renew: () => continueAsNew<typeof topUp>(input),
  });
  held.opens(contract.openTopUp, (command) => local.openTopUp({ ...input, ...command, at: now() }), {
    stateIn: (opened) => opened.standing,
    complete: (opened) => withPaymentPage(opened, held),
    description: 'Pay money into the wallet.',
  });
  held.decides(contract.cancelTopUp, () => durable.cancelTopUp({ topUpId, at: now() }), {
    stateIn: (state) => state,
    description: 'Cancel it while it waits for its payment.',
  });
  held.hears(contract.topUpPaymentReported, 'A provider reported on its payment.');
  let wasLookedFor = false;

  return held.follow<TopUpResult>({
    async next(state): Promise<Next<TopUpResult>> {
      const { status, payBy, label, pagesLeft } = state;
      if ((status === 'CANCELLED' || pagesLeft) && !wasLookedFor) {
        // Its owner cancelled it, or it was paid otherwise: the page is closed, and money paid on it meanwhile goes back.
        await handlersFinished();
        await lookForMoney({ topUpId }, held, local);
        wasLookedFor = true;
      }
      if (status !== 'PENDING_PAYMENT') return { ended: status };
      return {
        words: `${label}. Waiting for payment until ${payBy}.`,
        summary: `payment window until ${payBy}`,
        until: payBy,
        // Cancels it, unless its money is found.
        async whenDue(): Promise<void> {
          await lookForMoney({ topUpId }, held, local);
          wasLookedFor = true;
          await held.move('cancel the unpaid top-up', () => local.expireTopUp({ topUpId, at: now() }));
        },
      };
    },
    closing: CLOSING,
    refused: 'REFUSED',
    abandoned: 'ABANDONED',
  });
}

/** Adds the page of a payment by card or e-wallet, where another company opens it. One that the company refuses has ended by that. */
async function withPaymentPage(
  { payment, ...opened }: OpenedTopUp,
  held: Entity<TopUpState>,
): Promise<OpenedTopUp> {
  if (payment === null) return { ...opened, payment };
  const offered = await withPage({ ...opened, payment });
  if (offered.payment.isRefused) held.readAgain();
  return requireNotRefused(offered);
}

const CLOSING: Record<TopUpResult, string> = {
  PAID: 'Paid: the money is in the wallet.',
  CANCELLED: 'Cancelled: it was not paid.',
  REFUSED: 'Refused: nothing was opened.',
  ABANDONED: 'Abandoned by an operator; the top-up stays as it is in the database.',
};
