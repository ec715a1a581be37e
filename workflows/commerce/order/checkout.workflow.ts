import {
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { refusal, refusalIn, type ErrorCode } from '../../errors';
import { attentionFor, type Attention } from '../../kit/parking';
import {
  askedTransactions,
  everyoneAnswered,
  now,
  oneAtATime,
  timeoutUntil,
  transactions,
} from '../../kit/proxies';
import * as contract from './checkout.contract';
import { concludeCheckout } from './hand-over';
import { lookForMoney, startRefunds } from '../payment/look-for-money';
import * as order from './order.contract';
import type { OrderStanding } from './order.contract';
import { withPage } from '../payment/payment-page';

const PLACING_WINDOW = '10 minutes';
/** What this process believes. The truth stands in the database, where every move is guarded. */
interface Story {
  /** UNKNOWN: placing failed, and may have happened all the same. */
  standing: OrderStanding | 'PLACING' | 'UNKNOWN' | 'REFUSED';
  /** Counts what was heard, so that news that comes while the last is being read is not missed. */
  news: number;
  readonly alone: ReturnType<typeof oneAtATime>;
}

/** One order from the buyer's wish until it is paid or given up. It may be woken for nothing, at any time. */
export async function checkout(input: contract.CheckoutInput): Promise<contract.CheckoutResult> {
  const story: Story = { standing: input.standing ?? 'PLACING', news: 0, alone: oneAtATime() };
  const attention = attentionFor(input.orderId);
  const books = transactions<contract.CheckoutActivities>();
  takeWishes(input, story, books);
  takeCancellation(input, story);

  await condition(() => story.standing !== 'PLACING', PLACING_WINDOW, { summary: 'waiting for the order' });
  const status = await attention.orAbandoned(async () => {
    await learnWhatWasPlaced(input, story, books, attention);
    const concluded = await untilPaidOrGivenUp(input, story, books, attention);
    // A cancellation whose answer was lost may have scheduled refunds that nobody has started.
    if (concluded === 'CANCELLED')
      await startRefunds(await attention.step('find money that is owed', () => books.refundsDue(input)));
    return concluded;
  });
  await concludeCheckout(input, story.standing, status);
  // In a later task than the answer: a report that arrives now would discard both.
  if (status === 'CANCELLED') await sleep(1, { summary: 'closes after the answer' });
  setCurrentDetails(CLOSING_WORDS[status]);
  await everyoneAnswered();
  return status;
}

const CLOSING_WORDS: Record<contract.CheckoutResult, string> = {
  PAID: 'Paid; fulfilment has it now.',
  CANCELLED: 'Cancelled; stock and coupons are given back.',
  REFUSED: 'Refused: nothing was ordered.',
  ABANDONED: 'Given up by an operator; the order stays as the database has it.',
};

/** A wish that is being placed right now is waited for; what became of one whose answer was lost, the books know. */
async function learnWhatWasPlaced(
  { orderId }: contract.CheckoutInput,
  story: Story,
  books: contract.CheckoutActivities,
  attention: Attention,
): Promise<void> {
  await attention.step('find out whether the order was placed', () =>
    story.alone(async () => {
      if (story.standing === 'PLACING' || story.standing === 'UNKNOWN')
        story.standing = (await books.orderStanding({ orderId })) ?? 'REFUSED';
    }),
  );
}

/** Only what was placed can be paid or cancelled. */
function requirePlaced({ standing }: Story, otherwise: ErrorCode): void {
  if (typeof standing === 'string') throw refusal(otherwise, 'Nothing has been ordered here.');
}

/** What no update can change any more is refused before it is accepted: only what is accepted fills the history. */
function requireOpen({ standing }: Story, otherwise: ErrorCode, at?: string): void {
  if (standing === 'REFUSED') throw refusal(otherwise, 'Nothing has been ordered here.');
  if (typeof standing === 'string') return;
  if (standing.status !== 'PENDING_PAYMENT' || (at !== undefined && standing.payBy <= at))
    throw refusal(otherwise, `This order waits for no payment: it is ${standing.status}.`);
}

/** The buyer's order, and further attempts to pay it. */
function takeWishes(input: contract.CheckoutInput, story: Story, books: contract.CheckoutActivities): void {
  const { orderId } = input;
  const askedBooks = askedTransactions<contract.CheckoutActivities>();
  const learn = async <T>(work: () => Promise<T>, standingIn: (result: T) => OrderStanding): Promise<T> =>
    story.alone(async () => {
      const result = await work();
      story.standing = standingIn(result);
      return result;
    });

  setHandler(contract.placeOrder, async (wish) => {
    try {
      const placed = await learn(
        () => books.placeOrder({ ...input, ...wish, at: now() }),
        ({ standing }) => standing,
      );
      return await withPage(placed);
    } catch (error) {
      if (story.standing === 'PLACING') story.standing = refusalIn(error) ? 'REFUSED' : 'UNKNOWN';
      throw error;
    }
  });
  const pay = async (wish: contract.PayOrder): Promise<contract.OfferedPayment> => {
    const offered = await learn(
      () => {
        requirePlaced(story, 'NOT_PAYABLE');
        // A balance is paid with at once, so that is done only after the request is written down.
        const steps = wish.paymentMethod === 'BALANCE' ? askedBooks : books;
        return steps.openPayment({ orderId, ...wish, at: now() });
      },
      ({ standing }) => standing,
    );
    return withPage(offered);
  };
  setHandler(contract.payOrder, pay, {
    validator: (_wish: contract.PayOrder): void => requireOpen(story, 'NOT_PAYABLE', now()),
  });
  setHandler(order.orderStatus, () => {
    if (story.standing === 'UNKNOWN') return 'PLACING';
    return typeof story.standing === 'string' ? story.standing : story.standing.status;
  });
}

function takeCancellation({ orderId }: contract.CheckoutInput, story: Story): void {
  const books = askedTransactions<contract.CheckoutActivities>();
  const heard = (): void => {
    story.news++;
  };
  setHandler(order.paymentReported, heard, { description: 'A provider reported on a payment.' });
  const cancel = async (wish: order.CancelWish): Promise<order.CancelledOrder> => {
    const cancelled = await story.alone(() => {
      // Once it is known as paid, fulfilment answers for it.
      if (typeof story.standing === 'string' || story.standing.status !== 'PENDING_PAYMENT')
        throw refusal('CANNOT_CANCEL', 'This order is not (or no longer) with checkout.');
      return books.cancelOrder({ orderId, ...wish, at: now() });
    });
    heard();
    return cancelled;
  };
  setHandler(order.cancelOrder, cancel, {
    validator: (_wish: order.CancelWish): void => requireOpen(story, 'CANNOT_CANCEL'),
  });
}

/** Waits through the payment window, however often it is prolonged; continues as new before the history is full. */
async function untilPaidOrGivenUp(
  input: contract.CheckoutInput,
  story: Story,
  books: contract.CheckoutActivities,
  attention: Attention,
): Promise<contract.CheckoutResult> {
  const { orderId } = input;
  // Counted from the start: a signal may come with the first task of a run that continues another.
  let read = 0;
  for (;;) {
    const { standing, news } = story;
    if (typeof standing === 'string') return 'REFUSED';
    if (standing.status === 'CANCELLED') return 'CANCELLED';
    if (standing.status !== 'PENDING_PAYMENT') return 'PAID';

    if (news !== read) {
      read = news;
      await attention.step('read the order', () =>
        story.alone(
          async () => void (story.standing = (await books.orderStanding({ orderId })) ?? 'REFUSED'),
        ),
      );
      continue;
    }
    setCurrentDetails(`Waiting for payment until ${standing.payBy}.`);
    const changed = (): boolean => story.news !== read || story.standing !== standing;
    const stirred = (): boolean => changed() || workflowInfo().continueAsNewSuggested;
    const window = { summary: `payment window until ${standing.payBy}` };
    if (await condition(stirred, timeoutUntil(standing.payBy), window)) {
      if (!changed()) await everyoneAnswered();
      if (!changed()) await continueAsNew<typeof checkout>({ ...input, standing });
      continue;
    }
    await lookForMoney(orderId, { books, attention, serially: story.alone });
    await attention.step('give the unpaid order up', () =>
      story.alone(async () => void (story.standing = await books.expireOrder({ orderId, at: now() }))),
    );
  }
}
