import { mailDriver } from './mail/driver';
import { investmentDriver } from './outbound/driver';
import { bankDriver } from './payments/bank/driver';
import { sandboxDriver } from './payments/sandbox/driver';
import { stripeDriver } from './payments/stripe/driver';
import { bankFileDriver } from './payouts/bank-file/driver';

/** The drivers of this release, for workers; the forms of their reports are in `payments/webhooks.ts`. */
export const drivers = [
  bankDriver,
  sandboxDriver,
  bankFileDriver,
  stripeDriver,
  mailDriver,
  investmentDriver,
] as const;
