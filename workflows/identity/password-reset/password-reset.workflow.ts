import { continueAsNew, setCurrentDetails } from '@temporalio/workflow';
import { parkingFor } from '../../kit/parking';
import { renewalBy } from '../../kit/waiting/renewal';
import { handlersFinished, now, localTransactions } from '../../kit/proxies';
import type {
  PasswordResetActivities,
  PasswordResetInput,
  PasswordResetResult,
} from './password-reset.contract';

/** Mails a token to the owner of the account that the request names, if there is one. */
export async function passwordReset({ resetRequestId }: PasswordResetInput): Promise<PasswordResetResult> {
  const local = localTransactions<PasswordResetActivities>();
  const parking = parkingFor(
    resetRequestId,
    renewalBy(() => continueAsNew<typeof passwordReset>({ resetRequestId })),
  );
  const at = now();
  const result = await parking.orAbandoned(() =>
    parking.step('mail the token to reset a password', () => local.mailPasswordReset({ resetRequestId, at })),
  );
  setCurrentDetails(CLOSING_WORDS[result]);
  await handlersFinished();
  return result;
}

const CLOSING_WORDS: Record<PasswordResetResult, string> = {
  MAILED: 'The token is on its way.',
  NOBODY: 'There is no account to mail to.',
  ABANDONED: 'Abandoned by an operator; nothing was mailed.',
};
