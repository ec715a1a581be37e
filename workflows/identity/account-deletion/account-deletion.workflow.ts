import { condition, setCurrentDetails, setHandler } from '@temporalio/workflow';
import { refusal } from '../../errors';
import { attentionFor, type Attention } from '../../kit/parking';
import {
  askedTransactions,
  everyoneAnswered,
  now,
  oneAtATime,
  timeoutUntil,
  transactions,
} from '../../kit/proxies';
import * as contract from './account-deletion.contract';
import type { AccountDeletionInput, AccountDeletionResult } from './account-deletion.contract';

/** A wish that was refused before it was accepted leaves nothing; its process must end by itself. */
const ASKING_WINDOW = '10 minutes';
/** How often an account with money or orders is looked at again once its day has come. */
const LOOK_AGAIN = '1 day';

/** What this process has heard. The truth, when the account is to be erased, stands in the database. */
interface Story {
  /** Counts the wishes that were carried out or refused. */
  news: number;
  readonly alone: ReturnType<typeof oneAtATime>;
}

/** Somebody who wants to be forgotten: fourteen days to think again, and then nothing personal is left. */
export async function accountDeletion(input: AccountDeletionInput): Promise<AccountDeletionResult> {
  const story: Story = { news: 0, alone: oneAtATime() };
  const attention = attentionFor(input.userId);
  takeWishes(input, story);

  await condition(() => story.news > 0, ASKING_WINDOW, { summary: 'waiting for the wish' });
  const result = await attention.orAbandoned(() => untilErasedOrKept(input, story, attention));
  setCurrentDetails(CLOSING_WORDS[result]);
  await everyoneAnswered();
  return result;
}

const CLOSING_WORDS: Record<AccountDeletionResult, string> = {
  ERASED: 'Nothing personal is left.',
  CANCELLED: 'The owner came back; the account stays.',
  REFUSED: 'Refused: the account stays.',
  ABANDONED: 'Given up by an operator; the account stays as the database has it.',
};

function takeWishes({ userId }: AccountDeletionInput, story: Story): void {
  const asked = askedTransactions<contract.AccountDeletionActivities>();
  const heard = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await story.alone(work);
    } finally {
      story.news++;
    }
  };
  setHandler(contract.requestDeletion, ({ sessionId }) =>
    heard(() => asked.scheduleDeletion({ userId, ...(sessionId !== undefined && { sessionId }), at: now() })),
  );
  setHandler(contract.cancelDeletion, async () => {
    await heard(() => asked.unscheduleDeletion({ userId, at: now() }));
    return null;
  });
  const undone = new Set<string>();
  setHandler(contract.undoDeletion, async ({ tokenId, useId }) => {
    await heard(async () => {
      // Only requests that are not named need this: the database tells the others apart.
      if (useId === undefined && undone.has(tokenId)) throw refusal('INVALID_TOKEN', 'This token was used.');
      await asked.undoDeletion({ userId, tokenId, ...(useId !== undefined && { useId }), at: now() });
      undone.add(tokenId);
    });
    return null;
  });
}

async function untilErasedOrKept(
  { userId }: AccountDeletionInput,
  story: Story,
  attention: Attention,
): Promise<AccountDeletionResult> {
  const books = transactions<contract.AccountDeletionActivities>();
  let wasDue = false;
  for (;;) {
    const { news } = story;
    const stirred = (): boolean => story.news !== news;
    const due = await attention.step('read when the account is to be erased', () =>
      story.alone(() => books.dueDeletion({ userId })),
    );
    if (!due) {
      await everyoneAnswered();
      if (stirred()) continue; // Asked for again while this was about to end.
      return wasDue ? 'CANCELLED' : 'REFUSED';
    }
    wasDue = true;
    setCurrentDetails(`To be erased at ${due.dueAt}, unless the owner signs in or undoes it before.`);
    if (await condition(stirred, timeoutUntil(due.dueAt), { summary: `grace until ${due.dueAt}` })) continue;
    const erased = await attention.step('erase the account', () =>
      story.alone(() => books.eraseAccount({ userId, at: now() })),
    );
    if (erased === 'ERASED') return 'ERASED';
    if (erased === 'KEPT') continue;
    setCurrentDetails('Due, but money or orders are still open; looked at again every day.');
    await condition(stirred, LOOK_AGAIN, { summary: 'money or orders are still open' });
  }
}
