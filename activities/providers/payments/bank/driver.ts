import { z } from 'zod';
import { DEMO_BANK } from '../../../../db/policy/production';
import type { Driver } from '../../driver';
import { ProviderRefusal, type PaymentProvider } from '../port';

/** The code of our own bank account, where transfers arrive; a person sends from there what goes back. */
export const BANK = 'bank';

/** Our own bank account, for transfers of buyers. */
export const bankDriver = {
  code: BANK,
  variables: {
    api: {},
    worker: {
      BANK_HOLDER: z.string().min(1).default(DEMO_BANK.BANK_HOLDER),
      BANK_NAME: z.string().min(1).default(DEMO_BANK.BANK_NAME),
      BANK_ACCOUNT_NUMBER: z.string().min(1).default(DEMO_BANK.BANK_ACCOUNT_NUMBER),
      BANK_BIK: z.string().min(1).default(DEMO_BANK.BANK_BIK),
    },
  },
  callsPerSecond: 10,
  lookUpsPerSecond: 5,
  payments: () => bankProvider(),
} satisfies Driver<unknown>;

/** Our own bank account as a provider: it has no page, reports nothing, and sends nothing by itself. */
export function bankProvider(): PaymentProvider {
  return {
    code: BANK,
    opensWithinMs: null,
    openPayment: () => Promise.reject(new ProviderRefusal('A transfer to our account needs no page.')),
    closePayment: () => Promise.resolve(),
    lookUpPayment: () => Promise.resolve([]),
    certainAfterMs: 0,
    refund: () => Promise.resolve({ status: 'manual' }),
    lookUpRefund: () => Promise.resolve(null),
  };
}
