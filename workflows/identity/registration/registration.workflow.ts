import { condition, setCurrentDetails, setHandler, sleep } from '@temporalio/workflow';
import { refusalIn } from '../../errors';
import { attentionFor, type Attention } from '../../kit/parking';
import {
  askedTransactions,
  everyoneAnswered,
  now,
  oneAtATime,
  timeoutUntil,
  transactions,
} from '../../kit/proxies';
import * as contract from './registration.contract';
import type { RegistrationActivities, RegistrationStanding } from './registration.contract';

/** A wish that was refused before it was accepted leaves nothing; its process must end by itself. */
const OPENING_WINDOW = '10 minutes';

/** What this process believes. The truth stands in the database, where every move is guarded. */
interface Story {
  /** UNKNOWN: opening the account failed, and may have happened all the same. */
  standing: RegistrationStanding | 'OPENING' | 'UNKNOWN' | 'REFUSED';
  readonly alone: ReturnType<typeof oneAtATime>;
}

/** A person on their way in: the account is opened, and verified in time or removed. */
export async function registration(input: contract.RegistrationInput): Promise<contract.RegistrationResult> {
  const story: Story = { standing: 'OPENING', alone: oneAtATime() };
  const attention = attentionFor(input.userId);
  const books = transactions<RegistrationActivities>();
  takeRegistration(input, story, books);
  takeVerification(input, story, books);

  await condition(() => story.standing !== 'OPENING', OPENING_WINDOW, { summary: 'waiting for the wish' });
  const result = await attention.orAbandoned(async () => {
    await learnWhatWasOpened(input, story, books, attention);
    return untilVerifiedOrRemoved(input, story, books, attention);
  });
  // A task that closes a process is thrown away when a message arrives meanwhile, with the answers it carries. So who
  // verified is answered by a task before.
  if (result === 'VERIFIED') await sleep(1, { summary: 'closes after the answer' });
  setCurrentDetails(CLOSING_WORDS[result]);
  await everyoneAnswered();
  return result;
}

const CLOSING_WORDS: Record<contract.RegistrationResult, string> = {
  VERIFIED: 'The e-mail address is verified.',
  REMOVED: 'Nobody verified it in time: the account is removed and its address free again.',
  REFUSED: 'Refused: no account was opened.',
  ABANDONED: 'Given up by an operator; the account stays as the database has it.',
};

function takeRegistration(
  { userId }: contract.RegistrationInput,
  story: Story,
  books: RegistrationActivities,
): void {
  const isOpen = (): boolean => story.standing === 'OPENING' || story.standing === 'UNKNOWN';
  setHandler(contract.register, async ({ tokenId }) => {
    try {
      return await story.alone(async () => {
        const opened = await books.register({ userId, tokenId, at: now() });
        if (isOpen()) story.standing = opened;
        return opened;
      });
    } catch (error) {
      if (story.standing === 'OPENING') story.standing = refusalIn(error) ? 'REFUSED' : 'UNKNOWN';
      throw error;
    }
  });
}

function takeVerification(
  { userId }: contract.RegistrationInput,
  story: Story,
  books: RegistrationActivities,
): void {
  const askedBooks = askedTransactions<RegistrationActivities>();
  setHandler(contract.verifyEmail, (use) =>
    story.alone(async () => {
      const verified = await askedBooks.verifyEmail({ userId, ...use, at: now() });
      story.standing = 'VERIFIED';
      return verified;
    }),
  );
  setHandler(contract.resendVerification, ({ tokenId }) =>
    story.alone(() => books.resendVerification({ userId, tokenId, at: now() })),
  );
}

/** A wish that is being carried out right now is waited for; what became of one that failed, the books know. */
async function learnWhatWasOpened(
  input: contract.RegistrationInput,
  story: Story,
  books: RegistrationActivities,
  attention: Attention,
): Promise<void> {
  await attention.step('find out whether the account was opened', () =>
    story.alone(async () => {
      if (story.standing !== 'OPENING' && story.standing !== 'UNKNOWN') return;
      const standing = await books.registrationStanding(input);
      story.standing = standing === 'GONE' ? 'REFUSED' : standing;
    }),
  );
}

async function untilVerifiedOrRemoved(
  { userId }: contract.RegistrationInput,
  story: Story,
  books: RegistrationActivities,
  attention: Attention,
): Promise<contract.RegistrationResult> {
  for (;;) {
    const { standing } = story;
    if (typeof standing === 'string') return RESULTS[standing];
    const { removeAt } = standing;
    setCurrentDetails(`Waiting for the e-mail address to be verified, until ${removeAt}.`);
    const stirred = (): boolean => story.standing !== standing;
    const window = { summary: `time to verify until ${removeAt}` };
    if (await condition(stirred, timeoutUntil(removeAt), window)) continue;
    await attention.step('remove the unverified account', () =>
      story.alone(async () => void (story.standing = await books.removeUnverified({ userId, at: now() }))),
    );
  }
}

const RESULTS = {
  VERIFIED: 'VERIFIED',
  GONE: 'REMOVED',
  REFUSED: 'REFUSED',
  OPENING: 'REFUSED',
  UNKNOWN: 'REFUSED',
} as const;
