import { v7 } from 'uuid';
import { payoutActivities } from '../../../../activities/commerce/payout/payout.activities';
import type { Payouts } from '../../../../activities/providers/payouts';
import type { PayoutProvider } from '../../../../activities/providers/payouts/port';
import { sealDestination } from '../../../../db/commerce/payout/destination';
import { policyFrom } from '../../../../db/policy/config';
import { sealPurposes } from '../../../../db/sealing/purposes';
import { execute, firstRow, rows, type Db } from '../../../../db/sql/query';
import { maskedDestination, type Destination } from '../../../../workflows/commerce/payout/destination.rules';
import type { PayoutKind } from '../../../../workflows/commerce/payout/payout.rules';
import { testKeys } from '../../worlds/variables';
import { CARD } from '../investing/withdrawing';
import { make } from '../make';
import type { User } from '../make/people';
import { noteOf } from '../ordering';

/** Somebody with money that can be paid out, and saved details. */
export interface Payee {
  kind: PayoutKind;
  user: User;
  userId: string;
  /** Empty for a wallet. */
  partnerId: string;
}

interface PayeeOptions {
  kind?: PayoutKind;
  /** By default 100.00; of a partner in one commission. */
  availableMinor?: number;
  cardNumber?: string;
  /** A bank account instead of the card. */
  iban?: string;
  user?: Parameters<typeof make.user>[1];
}

export async function payee(
  db: Db,
  {
    kind = 'PARTNER',
    availableMinor = 100_00,
    cardNumber = CARD,
    iban,
    user: person = {},
  }: PayeeOptions = {},
): Promise<Payee> {
  const user = await make.user(db, { kycLevel: 'STANDARD', ...person });
  if (iban === undefined) await saveDetails(db, user.id, cardNumber);
  else await saveDestination(db, user.id, { method: 'BANK_TRANSFER', accountHolder: 'Ada Lovelace', iban });
  if (kind === 'WALLET') {
    if (availableMinor > 0) await make.money(db, user.id, availableMinor);
    return { kind, user, userId: user.id, partnerId: '' };
  }
  const { id: partnerId } = await make.partner(db, { userId: user.id });
  if (availableMinor > 0)
    await make.commission(db, { partnerId, grossMinor: availableMinor, status: 'APPROVED' });
  return { kind, user, userId: user.id, partnerId };
}

/** Saves a card as the payout details of a user, as PATCH /users/me does. */
export const saveDetails = (db: Db, userId: string, cardNumber: string): Promise<void> =>
  saveDestination(db, userId, { method: 'CARD', accountHolder: 'Ada Lovelace', cardNumber });

async function saveDestination(db: Db, userId: string, destination: Destination): Promise<void> {
  const sealed = sealDestination(testKeys, sealPurposes.payoutDetails(userId), destination);
  await execute(
    db,
    `UPDATE users SET payout_method = $2, payout_masked = $3, payout_sealed = $4, payout_changed_at = now()
     WHERE id = $1`,
    [userId, destination.method, maskedDestination(destination), sealed],
  );
}

/** The steps of payouts at these providers, without processes. */
export function payoutSteps(
  db: Db,
  bank: PayoutProvider | readonly PayoutProvider[] | null,
  {
    current = [bank].flat()[0]?.code ?? 'bank',
    retired = [],
    variables = {},
  }: { current?: string; retired?: readonly string[]; variables?: Record<string, string> } = {},
) {
  const banks = [bank].flat().filter((one) => one !== null);
  const providers = new Map(banks.map((one) => [one.code, one]));
  const payouts: Payouts = { providers, current, retired: new Set(retired) };
  return payoutActivities({ db, payouts, policy: policyFrom(variables) });
}

type Steps = ReturnType<typeof payoutSteps>;

export const at = (): string => new Date().toISOString();

/** Requests a payout without a process; answers its id. */
export async function requested(
  steps: Steps,
  { kind, userId }: Pick<Payee, 'kind' | 'userId'>,
  amountMinor = 40_00,
  payoutId: string = v7(),
  requestedAt = at(),
): Promise<string> {
  await steps.requestPayout({ payoutId, userId, kind, amountMinor, currency: 'USD', at: requestedAt });
  return payoutId;
}

/** A decision that may be sent any number of times. */
export async function decision(
  db: Db,
  payoutId: string,
  { by, text = null }: { by?: string; text?: string | null } = {},
) {
  const noteId = await noteOf(db, by ?? (await make.admin(db)).id, text);
  return { payoutId, noteId, at: at() };
}

/** A payout that was approved and sent without a process; answers its id. */
export async function processed(
  db: Db,
  steps: Steps,
  who: Pick<Payee, 'kind' | 'userId'>,
  amountMinor = 40_00,
): Promise<string> {
  const payoutId = await requested(steps, who, amountMinor);
  await steps.approvePayout(await decision(db, payoutId));
  await steps.processPayout(await decision(db, payoutId));
  return payoutId;
}

/** The balances of a user, and the payouts: `STATUS amount`. */
export async function fundsOf(db: Db, userId: string) {
  const found = await firstRow<{
    availableMinor: number;
    walletMinor: number;
    heldMinor: number;
    payouts: string[];
  }>(
    db,
    `SELECT ${['partner_available', 'wallet', 'payout_hold']
      .map(
        (account) =>
          `coalesce((SELECT balance_minor FROM ledger_balances WHERE user_id = $1 AND account = '${account}'), 0)`,
      )
      .map((balance, n) => `${balance} AS ${['available_minor', 'wallet_minor', 'held_minor'][n]}`)
      .join(', ')},
       ARRAY(SELECT status || ' ' || amount_minor FROM payouts WHERE user_id = $1 ORDER BY created_at, id) AS payouts`,
    [userId],
  );
  return found!;
}

/** The transfers that the sandbox knows for the payouts of a user. */
export const sandboxPayoutsOf = (db: Db, userId: string): Promise<{ transfer: string }[]> =>
  rows(
    db,
    `SELECT s.status || ' ' || s.amount_minor AS transfer FROM sandbox_transfers s
       JOIN payouts p ON p.id::text = split_part(s.key, ':', 1) WHERE p.user_id = $1 ORDER BY s.created_at`,
    [userId],
  );

/** The statuses of a partner's commissions, oldest first: `STATUS amount`. */
export const commissionsOf = async (db: Db, partnerId: string): Promise<string[]> =>
  (
    await rows<{ one: string }>(
      db,
      `SELECT status || ' ' || net_minor AS one FROM partner_commissions WHERE partner_id = $1 ORDER BY created_at, id`,
      [partnerId],
    )
  ).map(({ one }) => one);
