import {
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { refusalIn } from '../../errors';
import { attentionFor, type Attention } from '../../kit/parking';
import {
  askedTransactions,
  everyoneAnswered,
  now,
  oneAtATime,
  startBeside,
  timeoutUntil,
  transactions,
} from '../../kit/proxies';
import * as contract from './fulfilment.contract';
import * as order from './order.contract';
import type { OrderStatus } from './order.states';
import { paymentRefundProcess } from '../refund/payment-refund.contract';

/** What this process believes. The truth stands in the database, where every move is guarded. */
interface Story {
  status: OrderStatus;
  /** Counts what was heard, so that news that comes while the last is being read is not missed. */
  news: number;
  readonly alone: ReturnType<typeof oneAtATime>;
}

/** One paid order on its way to the buyer: picked up at once, then moved by people until it arrives or comes back. */
export async function fulfilment(input: contract.FulfilmentInput): Promise<contract.FulfilmentResult> {
  const { orderId } = input;
  const story: Story = { status: 'PAID', news: 0, alone: oneAtATime() };
  const attention = attentionFor(orderId);
  const books = transactions<contract.FulfilmentActivities>();
  takeWishes(orderId, story);

  // An operator who gives that up does not take the buyer's right to cancel away: the order stays as it is.
  await attention.orAbandoned(() =>
    attention.step('begin processing the order', () =>
      story.alone(async () => {
        story.status = (await books.beginProcessing({ orderId, at: now() })).status;
      }),
    ),
  );
  const ended = await untilItEnds(input, story, books, attention);
  if (ended === 'CANCELLED') await attention.orAbandoned(() => returnMoney(orderId, books, attention));
  // A task that closes a process is thrown away when something arrives meanwhile, with the answers it carries. So
  // whoever moved the order last is answered by a task before.
  await sleep(1, { summary: 'closes after the answer' });
  setCurrentDetails(CLOSING_WORDS[ended]);
  await everyoneAnswered();
  return ended;
}

/** For operators, while the order is under way. */
const WORDS: Record<Exclude<OrderStatus, contract.FulfilmentResult>, string> = {
  PENDING_PAYMENT: 'Not paid yet: checkout has it.',
  PAID: 'PAID: not picked up yet. An administrator can move it to PROCESSING, the buyer can cancel.',
  PROCESSING:
    'PROCESSING: the goods are being made ready. An administrator says when they leave, the buyer can cancel.',
  SHIPPED:
    'SHIPPED: the parcel is on its way. An administrator says when it has arrived; in the end it counts as delivered.',
};

const CLOSING_WORDS: Record<contract.FulfilmentResult, string> = {
  DELIVERED: 'DELIVERED: the buyer has the goods.',
  CANCELLED: 'CANCELLED before the goods left; the money is on its way back.',
  REFUNDED: 'REFUNDED in full; nothing is left to do here.',
};

const hasEnded = (status: OrderStatus): status is contract.FulfilmentResult => status in CLOSING_WORDS;

function takeWishes(orderId: string, story: Story): void {
  const books = askedTransactions<contract.FulfilmentActivities>();
  const heard = (): void => {
    story.news++;
  };
  const learn = <T>(work: () => Promise<T>, statusIn: (result: T) => OrderStatus): Promise<T> =>
    story.alone(async () => {
      try {
        const result = await work();
        story.status = statusIn(result);
        return result;
      } catch (error) {
        if (!refusalIn(error)) heard(); // It may have been done all the same; the books know.
        throw error;
      }
    });

  setHandler(order.orderStatus, () => story.status);
  setHandler(order.orderMoved, heard, { description: 'Something else moved the order.' });
  setHandler(
    order.cancelOrder,
    (wish) =>
      learn(
        () => books.cancelOrder({ orderId, ...wish, at: now() }),
        () => 'CANCELLED',
      ),
    { description: 'Cancel the order and send its money back.' },
  );
  setHandler(
    contract.moveOrder,
    (move) =>
      learn(
        () => books.moveOrder({ orderId, ...move, at: now() }),
        (moved) => moved.status,
      ),
    { description: 'Move the order on: PROCESSING, SHIPPED, DELIVERED.' },
  );
}

/**
 * Waits for people until the order's deadline: a parcel then counts as delivered, an order that has not left asks for
 * attention. It may be woken for nothing, at any time, and continues as new before its history is full.
 */
async function untilItEnds(
  input: contract.FulfilmentInput,
  story: Story,
  books: contract.FulfilmentActivities,
  attention: Attention,
): Promise<contract.FulfilmentResult> {
  const { orderId } = input;
  let read = 0;
  let askedAt: string | null = null;
  for (;;) {
    const { status, news } = story;
    if (hasEnded(status)) return status;
    if (news !== read) {
      read = news;
      await attention.orAbandoned(() =>
        attention.step('read the order', () => readAgain(orderId, story, books)),
      );
      continue;
    }
    const changed = (): boolean => story.news !== read || story.status !== status;
    const found = await deadlineOf({ orderId, askedAt }, books, attention);
    setCurrentDetails(WORDS[status]);
    if (found && found.status !== status) story.news++; // Moved by somebody who has not told this process (yet).
    const until = found?.until ?? null;
    if (await comesBefore(until, () => changed() || workflowInfo().continueAsNewSuggested)) {
      if (!changed()) await everyoneAnswered();
      if (!changed()) await continueAsNew<typeof fulfilment>(input);
    } else if (status === 'SHIPPED') {
      await attention.orAbandoned(() =>
        attention.step('count the order as delivered', () => deliver(orderId, story, books)),
      );
    } else {
      await attention.ask(`${WORDS[status]} It has been so for too long.`, changed);
      askedAt = now();
    }
  }
}

/** Null: an operator gave up finding it out, so that only people move the order. */
async function deadlineOf(
  order: { orderId: string; askedAt: string | null },
  books: contract.FulfilmentActivities,
  attention: Attention,
): Promise<contract.FulfilmentDeadline | null> {
  const found = await attention.orAbandoned(() =>
    attention.step('find until when the order may stay as it is', () => books.fulfilmentDeadline(order)),
  );
  return found === 'ABANDONED' ? null : found;
}

/** Whether something happens before that moment; null: whenever it happens. */
async function comesBefore(until: string | null, happens: () => boolean): Promise<boolean> {
  if (until !== null) return condition(happens, timeoutUntil(until), { summary: `stays so until ${until}` });
  await condition(happens);
  return true;
}

const deliver = (orderId: string, story: Story, books: contract.FulfilmentActivities): Promise<void> =>
  story.alone(async () => {
    story.status = (await books.deliverInTime({ orderId, at: now() })).status;
  });

const readAgain = (orderId: string, story: Story, books: contract.FulfilmentActivities): Promise<void> =>
  story.alone(async () => {
    story.status = (await books.orderStanding({ orderId }))?.status ?? story.status;
  });

/** The refunds that are due, also those that a cancellation scheduled whose answer was lost. */
async function returnMoney(
  orderId: string,
  books: contract.FulfilmentActivities,
  attention: Attention,
): Promise<void> {
  const due = await attention.step('find money that is owed', () => books.refundsDue({ orderId }));
  for (const refund of due) await startBeside(paymentRefundProcess, refund);
}
