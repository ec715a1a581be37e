import { clearingAccount, type LedgerLine } from '../../ledger/ledger.accounts';
import { postTransfer } from '../../ledger/ledger.transitions';
import type { Tx } from '../../sql/query';
import type { LockedParticipation } from './participation.transitions';

/**
 * The ledger entries of participations. `investments` holds the principal of running participations that was paid here;
 * what a provider owes us for returns, and for principal that was paid to it, is in the clearing account of the provider.
 */

type Money = Pick<LockedParticipation, 'id' | 'userId' | 'providerCode' | 'origin' | 'currency'>;

/** Clearing accounts of investment providers; their codes may equal those of payment providers. */
export const providerAccount = (code: string): ReturnType<typeof clearingAccount> =>
  clearingAccount(`provider_${code}`);

/** Pays a participation from its owner's wallet, or from the provider or bank whose payment arrived. */
export async function bookPrincipalPaid(
  tx: Tx,
  participation: Money & Pick<LockedParticipation, 'amountMinor'>,
  paidFrom: { wallet: true } | { provider: string },
  at: Date,
): Promise<void> {
  const { userId, currency, amountMinor } = participation;
  const source: LedgerLine =
    'wallet' in paidFrom
      ? { account: 'wallet', userId, currency, amountMinor: -amountMinor }
      : { account: clearingAccount(paidFrom.provider), currency, amountMinor: -amountMinor };
  await postTransfer(tx, {
    reference: `participation:${participation.id}:payment`,
    entries: [source, { account: 'investments', currency, amountMinor }],
    at,
  });
}

/** The parts of a participation that is over, in minor units. `earned` may be a loss. */
export interface EndedParts {
  principalMinor: number;
  earnedMinor: number;
  penaltyMinor: number;
}

/** The amount that is left for the owner; never below zero: a loss beyond the principal is the provider's. */
export const netMinor = ({ principalMinor, earnedMinor, penaltyMinor }: EndedParts): number =>
  Math.max(0, principalMinor + earnedMinor - penaltyMinor);

/** The penalty that is kept: never more than losses have left. */
export const paidPenaltyMinor = ({ principalMinor, earnedMinor, penaltyMinor }: EndedParts): number =>
  Math.min(penaltyMinor, Math.max(0, principalMinor + earnedMinor));

/**
 * Pays out a participation, or a part of it: its principal and returns leave their accounts, `to` receives the net amount
 * and `penalties` the penalty. Principal that was paid at the provider comes from the provider. `reference` names the
 * event, such as `participation:<id>:maturity` or `withdrawal:<id>`.
 */
export async function bookPaidOut(
  tx: Tx,
  { currency, providerCode, origin }: Money,
  { principalMinor, penaltyMinor }: Pick<EndedParts, 'principalMinor' | 'penaltyMinor'>,
  { reference, to, at }: { reference: string; to: readonly LedgerLine[]; at: Date },
): Promise<void> {
  const paid = to.reduce((sum, { amountMinor }) => sum + amountMinor, 0) + penaltyMinor;
  const fromHere = origin === 'PROVIDER' ? 0 : principalMinor;
  await postTransfer(tx, {
    reference,
    entries: [
      { account: 'investments', currency, amountMinor: -fromHere },
      { account: providerAccount(providerCode), currency, amountMinor: fromHere - paid },
      { account: 'penalties', currency, amountMinor: penaltyMinor },
      ...to,
    ],
    at,
  });
}

/** Credits the owner with a profit that came after the end. */
export async function bookFromProvider(
  tx: Tx,
  { userId, currency, providerCode }: Money,
  { reference, amountMinor, at }: { reference: string; amountMinor: number; at: Date },
): Promise<void> {
  await postTransfer(tx, {
    reference,
    entries: [
      { account: providerAccount(providerCode), currency, amountMinor: -amountMinor },
      { account: 'wallet', userId, currency, amountMinor },
    ],
    at,
  });
}
