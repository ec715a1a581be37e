import type { UpdateDefinition } from '@temporalio/common';
import { condition, setCurrentDetails, setHandler, sleep } from '@temporalio/workflow';
import { attentionFor, type Attention } from '../../kit/parking';
import {
  askedTransactions,
  everyoneAnswered,
  now,
  oneAtATime,
  timeoutUntil,
  transactions,
} from '../../kit/proxies';
import * as contract from './suspension.contract';
import type { StandingChanged, SuspensionActivities, SuspensionInput } from './suspension.contract';

/** A decision that never reached us leaves nothing; its process must end by itself. */
const DECISION_WINDOW = '10 minutes';

/** What this process knows. How the user stands is read from the database, where every move is guarded. */
interface Story {
  readonly userId: string;
  /** Counts decisions, when they come and when they are done, so that none is missed while the last is read. */
  news: number;
  readonly alone: ReturnType<typeof oneAtATime>;
}

/** One person's suspension, from the first decision until they may act again or may never. */
export async function suspension({ userId }: SuspensionInput): Promise<contract.SuspensionResult> {
  const story: Story = { userId, news: 0, alone: oneAtATime() };
  const attention = attentionFor(userId);
  takeDecisions(story);

  await condition(() => story.news > 0, DECISION_WINDOW, { summary: 'waiting for the decision' });
  const result = await attention.orAbandoned(async () => {
    for (;;) {
      const news = await untilOver(story, attention);
      await everyoneAnswered();
      // A task that closes a process is thrown away when a decision comes meanwhile, with the answers it carries. So
      // whoever decided is answered by a task before.
      await sleep(1, { summary: 'closes after the answer' });
      if (story.news === news) return 'OVER' as const;
    }
  });
  setCurrentDetails(CLOSING_WORDS[result]);
  await everyoneAnswered();
  return result;
}

const CLOSING_WORDS: Record<contract.SuspensionResult, string> = {
  OVER: 'Not suspended any more.',
  ABANDONED: 'Given up by an operator; the user stays as the database has it.',
};

function takeDecisions(story: Story): void {
  const books = askedTransactions<SuspensionActivities>();
  const take = <Decision extends contract.StandingDecision>(
    update: UpdateDefinition<StandingChanged, [Decision]>,
    carryOut: (decision: Decision & { userId: string; at: string }) => Promise<StandingChanged>,
  ): void => {
    setHandler(update, async (decision: Decision) => {
      story.news++;
      return story.alone(async () => {
        try {
          return await carryOut({ ...decision, userId: story.userId, at: now() });
        } finally {
          story.news++;
        }
      });
    });
  };
  take(contract.suspendUser, books.suspendUser);
  take(contract.activateUser, books.activateUser);
  take(contract.banUser, books.banUser);
  take(contract.unbanUser, books.unbanUser);
}

/** Waits until the user is not suspended, however often that is decided anew; answers what it had heard by then. */
async function untilOver(story: Story, attention: Attention): Promise<number> {
  const { userId, alone } = story;
  const books = transactions<SuspensionActivities>();
  for (;;) {
    const { news, suspended, until } = await attention.step('read whether the user is suspended', () =>
      alone(async () => ({ news: story.news, ...(await books.readSuspension({ userId })) })),
    );
    if (!suspended) return news;
    const stirred = (): boolean => story.news !== news;
    if (until === null) {
      setCurrentDetails('Suspended until an administrator decides.');
      await condition(stirred);
      continue;
    }
    setCurrentDetails(`Suspended until ${until}.`);
    if (await condition(stirred, timeoutUntil(until), { summary: `suspended until ${until}` })) continue;
    await attention.step('end the suspension', () => alone(() => books.endSuspension({ userId, at: now() })));
  }
}
