import type { Next } from '../../kit/lifecycle';
import { Entity } from '../../kit/entity';
import { durableTransactions, now, localTransactions } from '../../kit/proxies';
import * as contract from './registration.contract';
import type {
  RegistrationActivities,
  RegistrationInput,
  RegistrationResult,
  RegistrationStanding,
} from './registration.contract';

/** A person on their way in: the account is opened, and verified in time or removed. */
export async function registration({ userId }: RegistrationInput): Promise<RegistrationResult> {
  const local = localTransactions<RegistrationActivities>();
  const durable = durableTransactions<RegistrationActivities>();
  const account = new Entity<RegistrationStanding>({
    id: userId,
    reading: 'find out whether the account was opened',
    read: async () => {
      const standing = await local.registrationStanding({ userId });
      return standing === 'GONE' ? null : standing;
    },
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
    next(standing): Next<RegistrationResult> {
      if (standing === 'VERIFIED') return { ended: 'VERIFIED' };
      if (standing === 'GONE') return { ended: 'REMOVED' };
      const { removeAt } = standing;
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
      REMOVED: 'Nobody verified it in time: the account is removed and its address free again.',
      REFUSED: 'Refused: no account was opened.',
      ABANDONED: 'Given up by an operator; the account stays as the database has it.',
    },
    refused: 'REFUSED',
    abandoned: 'ABANDONED',
  });
}
