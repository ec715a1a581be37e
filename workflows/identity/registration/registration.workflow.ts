import { continueAsNew } from '@temporalio/workflow';
import type { Next } from '../../kit/lifecycle';
import { Entity } from '../../kit/entity';
import { durableTransactions, now, localTransactions } from '../../kit/proxies';
import * as contract from './registration.contract';
import type {
  RegistrationActivities,
  RegistrationInput,
  RegistrationResult,
  RegistrationState,
} from './registration.contract';

/** A registration: the account is opened, and then verified in time or removed. */
export async function registration({ userId }: RegistrationInput): Promise<RegistrationResult> {
  const local = localTransactions<RegistrationActivities>();
  const durable = durableTransactions<RegistrationActivities>();
  const account = new Entity<RegistrationState>({
    id: userId,
    reading: 'read whether the account was opened',
    read: async () => {
      const state = await local.registrationState({ userId });
      return state === 'GONE' ? null : state;
    },
    renew: () => continueAsNew<typeof registration>({ userId }),
  });
  account.opens(contract.register, ({ tokenId }) => local.register({ userId, tokenId, at: now() }), {
    stateIn: (opened) => account.state ?? opened,
  });
  account.decides(contract.verifyEmail, (use) => durable.verifyEmail({ userId, ...use, at: now() }), {
    stateIn: () => 'VERIFIED',
  });
  account.decides(
    contract.resendVerification,
    ({ tokenId }) => local.resendVerification({ userId, tokenId, at: now() }),
    { stateIn: 'unchanged' },
  );

  return account.follow<RegistrationResult>({
    next(state): Next<RegistrationResult> {
      if (state === 'VERIFIED') return { ended: 'VERIFIED' };
      if (state === 'GONE') return { ended: 'REMOVED' };
      const { removeAt } = state;
      return {
        words: `Waiting for the e-mail address to be verified, until ${removeAt}.`,
        summary: `time to verify until ${removeAt}`,
        until: removeAt,
        whenDue: () =>
          account.move('remove the unverified account', () => local.removeUnverified({ userId, at: now() })),
      };
    },
    closing: {
      VERIFIED: 'The e-mail address is verified.',
      REMOVED: 'Not verified in time: the account is removed and its address is free again.',
      REFUSED: 'Refused: no account was opened.',
      ABANDONED: 'Abandoned by an operator; the account stays as it is in the database.',
    },
    refused: 'REFUSED',
    abandoned: 'ABANDONED',
  });
}
