import { setCurrentDetails } from '@temporalio/workflow';
import { attentionFor } from '../../kit/parking';
import { everyoneAnswered, now, transactions } from '../../kit/proxies';
import type {
  PasswordResetActivities,
  PasswordResetInput,
  PasswordResetResult,
} from './password-reset.contract';

/** Mails a token to the owner of the account that somebody named, if there is one. */
export async function passwordReset({ wishId }: PasswordResetInput): Promise<PasswordResetResult> {
  const books = transactions<PasswordResetActivities>();
  const attention = attentionFor(wishId);
  const at = now();
  const result = await attention.orAbandoned(() =>
    attention.step('mail the token to reset a password', () => books.mailPasswordReset({ wishId, at })),
  );
  setCurrentDetails(CLOSING_WORDS[result]);
  await everyoneAnswered();
  return result;
}

const CLOSING_WORDS: Record<PasswordResetResult, string> = {
  MAILED: 'The token is on its way.',
  NOBODY: 'There is no account to mail to.',
  ABANDONED: 'Given up by an operator; nothing was mailed.',
};
