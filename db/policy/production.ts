import type { PaymentsMode } from '../sql/config';
import { ConfigurationError } from '../sql/environment/variables';

/** A bank account, by the names of its variables. */
type BankVariables = Readonly<
  Record<'BANK_HOLDER' | 'BANK_NAME' | 'BANK_ACCOUNT_NUMBER' | 'BANK_BIK', string>
>;

/** The default bank account for transfers, which does not exist. */
export const DEMO_BANK: BankVariables = {
  BANK_HOLDER: 'Demo Shop',
  BANK_NAME: 'Demo Bank',
  BANK_ACCOUNT_NUMBER: 'DE00 0000 0000 0000 0000 00',
  BANK_BIK: 'DEMODEFF',
};

/** Tells whether sandbox payments are accepted: always outside production, and in production where allowed. */
export const isSandboxAllowed = ({ NODE_ENV, ALLOW_SANDBOX_PAYMENTS }: PaymentsMode): boolean =>
  NODE_ENV !== 'production' || ALLOW_SANDBOX_PAYMENTS === true;

/** Throws where production would use the sandbox provider without permission, since its payments are not real. */
export function requireRealPayments(
  mode: PaymentsMode & { PAYMENT_PROVIDER: string; PAYOUT_PROVIDER?: string | undefined },
): void {
  if (isSandboxAllowed(mode)) return;
  if (mode.PAYOUT_PROVIDER === 'sandbox')
    throw new ConfigurationError(
      'PAYOUT_PROVIDER is sandbox, which sends no real money: set it to bank, or ALLOW_SANDBOX_PAYMENTS=true to try the platform out.',
    );
  if (mode.PAYMENT_PROVIDER !== 'sandbox') return;
  throw new ConfigurationError(
    'PAYMENT_PROVIDER is sandbox, whose payments are not real: set it to stripe, or ALLOW_SANDBOX_PAYMENTS=true to try the platform out.',
  );
}

/** Throws where production would show the demo's bank account: each of its variables has to be set. */
export function requireOwnBank(mode: PaymentsMode & BankVariables): void {
  if (isSandboxAllowed(mode)) return;
  const names = Object.keys(DEMO_BANK) as (keyof BankVariables)[];
  const unset = names.filter((name) => mode[name] === DEMO_BANK[name]);
  if (unset.length === 0) return;
  throw new ConfigurationError(
    `${unset.join(', ')}: the demo's bank account takes no transfers. Set your own, or ALLOW_SANDBOX_PAYMENTS=true to try the platform out.`,
  );
}
