import { z } from 'zod';

/** The variables that name providers by their codes, for API and workers. */
export const choiceVariables = {
  /** The provider that takes payments. */
  PAYMENT_PROVIDER: z.string().min(1).default('sandbox'),
  /**
   * The provider that sends money out: sandbox, stripe, bank-file, or bank for a person. Unless it is set, the sandbox where
   * that takes payments, and elsewhere a person.
   */
  PAYOUT_PROVIDER: z.string().optional(),
};
