import type { PaymentsMode } from '../sql/config';

/** A bank account, by the variables that name it. */
type BankVariables = Readonly<Record<'BANK_NAME' | 'BANK_ACCOUNT_NUMBER' | 'BANK_BIK', string>>;

/** The account that transfers are asked to where no other is set: no bank has it. */
export const DEMO_BANK: BankVariables = {
  BANK_NAME: 'Demo Bank',
  BANK_ACCOUNT_NUMBER: 'DE00 0000 0000 0000 0000 00',
  BANK_BIK: 'DEMODEFF',
};

/** Whether the sandbox takes payments and reports on them: everywhere but in production, where it has to be allowed. */
export const isSandboxAllowed = ({ NODE_ENV, ALLOW_SANDBOX_PAYMENTS }: PaymentsMode): boolean =>
  NODE_ENV !== 'production' || ALLOW_SANDBOX_PAYMENTS === true;

/** Production sells for real money: the sandbox, where one click pays, is refused unless it is allowed by name. */
export function requireRealPayments(mode: PaymentsMode & { PAYMENT_PROVIDER: string }): void {
  if (mode.PAYMENT_PROVIDER !== 'sandbox' || isSandboxAllowed(mode)) return;
  throw new Error(
    'PAYMENT_PROVIDER is sandbox, whose payments are not real: set it to stripe, or ALLOW_SANDBOX_PAYMENTS=true to try the platform out.',
  );
}

/** The same for bank transfers: each variable of the bank account has to be set to our own. */
export function requireOwnBank(mode: PaymentsMode & BankVariables): void {
  if (isSandboxAllowed(mode)) return;
  const names = Object.keys(DEMO_BANK) as (keyof BankVariables)[];
  const unset = names.filter((name) => mode[name] === DEMO_BANK[name]);
  if (unset.length === 0) return;
  throw new Error(
    `${unset.join(', ')}: the demo's bank account takes no transfers. Set your own, or ALLOW_SANDBOX_PAYMENTS=true to try the platform out.`,
  );
}
