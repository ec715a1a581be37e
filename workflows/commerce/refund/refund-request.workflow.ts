import type { UpdateDefinition } from '@temporalio/common';
import {
  condition,
  getExternalWorkflowHandle,
  isCancellation,
  log,
  setCurrentDetails,
  setHandler,
  sleep,
} from '@temporalio/workflow';
import { refusalIn } from '../../errors';
import { attentionFor, type Attention } from '../../kit/parking';
import {
  askedTransactions,
  everyoneAnswered,
  now,
  oneAtATime,
  startBeside,
  transactions,
} from '../../kit/proxies';
import { fulfilmentProcess } from '../order/fulfilment.contract';
import { orderMoved } from '../order/order.contract';
import { paymentRefundProcess } from './payment-refund.contract';
import * as contract from './refund-request.contract';
import type {
  RefundRequestActivities,
  RefundRequestInput,
  RefundRequestResult,
  RefundStanding,
} from './refund-request.contract';

/** A wish that was refused before it was accepted leaves nothing; its process must end by itself. */
const WISH_WINDOW = '10 minutes';

/** What this process believes. The truth stands in the database, where every move is guarded. */
interface Story {
  /** UNKNOWN: asking failed, and may have happened all the same. */
  wish: 'AWAITED' | 'KEPT' | 'REFUSED' | 'UNKNOWN';
  /** Counts decisions, when they come and when they are done, and news of the money, so that none is missed. */
  news: number;
  readonly alone: ReturnType<typeof oneAtATime>;
}

/** Money that a buyer asks back: it waits for a person's decision, and after that for the money to arrive. */
export async function refundRequest(input: RefundRequestInput): Promise<RefundRequestResult> {
  const story: Story = { wish: 'AWAITED', news: 0, alone: oneAtATime() };
  const attention = attentionFor(input.refundRequestId);
  takeWish(input, story);
  takeRefund(input, story);
  takeDecisions(input, story);

  await condition(() => story.wish !== 'AWAITED', WISH_WINDOW, { summary: 'waiting for the wish' });
  const result = await attention.orAbandoned(() => untilConcluded(input, story, attention));
  // A task that closes a process is thrown away when something comes meanwhile, with the answers it carries. So whoever
  // decided is answered by a task before.
  await everyoneAnswered();
  if (result !== 'REFUSED') await sleep(1, { summary: 'closes after the answer' });
  setCurrentDetails(CLOSING_WORDS[result]);
  await everyoneAnswered();
  return result;
}

const CLOSING_WORDS: Record<RefundRequestResult, string> = {
  REFUSED: 'Refused: nothing was asked back.',
  REJECTED: 'Turned down by an administrator.',
  COMPLETED: 'The money is back with the buyer.',
  FAILED: 'The provider did not send the money, and an operator gave it up; the buyer is still owed it.',
  ABANDONED: 'Given up by an operator; the request stays as the database has it.',
};

function takeWish(input: RefundRequestInput, story: Story): void {
  const books = transactions<RefundRequestActivities>();
  setHandler(contract.requestRefund, (wish) =>
    story.alone(async () => {
      try {
        const asked = await books.requestRefund({ ...input, ...wish, at: now() });
        story.wish = 'KEPT';
        return asked;
      } catch (error) {
        if (story.wish === 'AWAITED') story.wish = refusalIn(error) ? 'REFUSED' : 'UNKNOWN';
        throw error;
      }
    }),
  );
}

/** What an administrator gives back by themselves is asked for and decided at once. */
function takeRefund(input: RefundRequestInput, story: Story): void {
  const durable = askedTransactions<RefundRequestActivities>();
  setHandler(
    contract.refundOrder,
    (refund) =>
      story.alone(async () => {
        try {
          const standing = await durable.refundOrder({ ...input, ...refund, at: now() });
          story.wish = 'KEPT';
          return standing;
        } catch (error) {
          if (story.wish === 'AWAITED') story.wish = refusalIn(error) ? 'REFUSED' : 'UNKNOWN';
          throw error;
        } finally {
          story.news++;
        }
      }),
    { description: 'Give money of the order back without a request of the buyer.' },
  );
}

function takeDecisions({ refundRequestId, orderId }: RefundRequestInput, story: Story): void {
  const books = askedTransactions<RefundRequestActivities>();
  const take = <Decision extends object>(
    update: UpdateDefinition<RefundStanding, [Decision]>,
    carryOut: (
      decision: Decision & { refundRequestId: string; orderId: string; at: string },
    ) => Promise<RefundStanding>,
    description: string,
  ): void => {
    const decide = async (decision: Decision): Promise<RefundStanding> => {
      story.news++;
      return story.alone(async () => {
        try {
          return await carryOut({ ...decision, refundRequestId, orderId, at: now() });
        } finally {
          story.news++;
        }
      });
    };
    setHandler(update, decide, { description });
  };
  take(contract.approveRefund, books.approveRefund, 'Send the money back, all of it or a part.');
  take(contract.rejectRefund, books.rejectRefund, 'Turn the request down.');
  const heard = (): void => {
    story.news++;
  };
  setHandler(contract.refundSettled, heard, { description: 'What a provider was to send has ended.' });
}

/** Follows the request until nothing more is to be done about it. */
async function untilConcluded(
  { refundRequestId, orderId, userId }: RefundRequestInput,
  story: Story,
  attention: Attention,
): Promise<RefundRequestResult> {
  const books = transactions<RefundRequestActivities>();
  if (story.wish === 'REFUSED') return 'REFUSED';
  for (;;) {
    const { news, standing } = await attention.step('read how the request stands', () =>
      story.alone(async () => ({
        news: story.news,
        standing: await books.refundStanding({ refundRequestId }),
      })),
    );
    if (standing === null) return 'REFUSED';
    const { status, orderStatus, refundsDue } = standing;
    if (status === 'COMPLETED' && orderStatus === 'REFUNDED') await tellFulfilment({ orderId, userId });
    if (status === 'COMPLETED' || status === 'REJECTED' || status === 'FAILED') return status;
    for (const refund of refundsDue) await startBeside(paymentRefundProcess, refund);
    await untilNews(story, news, WAITING_WORDS[status]);
  }
}

const WAITING_WORDS = {
  PENDING_REVIEW: 'Waits for an administrator to approve or to reject it.',
  APPROVED: 'Approved; the money is being made ready.',
  PROCESSING: 'Approved; the money is on its way back through its provider.',
};

async function untilNews(story: Story, news: number, words: string): Promise<void> {
  setCurrentDetails(words);
  await condition(() => story.news !== news);
}

/** An order of which all the money is back needs no fulfilment any more. */
async function tellFulfilment(order: { orderId: string; userId: string }): Promise<void> {
  try {
    await getExternalWorkflowHandle(fulfilmentProcess.id(order)).signal(orderMoved);
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.info('fulfilment is over already', { orderId: order.orderId });
  }
}
