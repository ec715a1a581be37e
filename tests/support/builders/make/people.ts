import { hash } from '@node-rs/argon2';
import { v7 } from 'uuid';
import type { Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { insert, nextNumber } from './insert';

export interface User {
  id: string;
  email: string;
  password: string;
  region: 'EU' | 'US' | 'APAC';
  roles: readonly ('USER' | 'ADMIN' | 'SUPER_ADMIN')[];
}

interface UserWishes extends Partial<Omit<User, 'id'>> {
  status?: 'PENDING_VERIFICATION' | 'ACTIVE' | 'SUSPENDED' | 'BANNED';
  firstName?: string;
  lastName?: string;
  kycLevel?: 'NONE' | 'BASIC' | 'STANDARD' | 'ENHANCED';
}

export interface Buyer extends User {
  addressId: string;
}

interface AddressWishes {
  recipientName?: string;
  street?: string;
  city?: string;
  region?: string | null;
  country?: string;
  postalCode?: string;
  label?: string | null;
  isDefault?: boolean;
}

const password = 'Correct-horse-7!';
/** Argon2 is slow on purpose: everyone in a file shares one password and its hash. */
let passwordHash: Promise<string> | undefined;
const hashOf = (text: string): Promise<string> =>
  text === password ? (passwordHash ??= hash(password)) : hash(text);

/** Somebody with a verified address and nothing else. */
export async function user(db: Db, wishes: UserWishes = {}): Promise<User> {
  const n = nextNumber();
  const made: User = {
    id: v7(),
    email: wishes.email ?? `person${n}@example.com`,
    password: wishes.password ?? password,
    region: wishes.region ?? 'EU',
    roles: wishes.roles ?? ['USER'],
  };
  const { status = 'ACTIVE', kycLevel = 'BASIC' } = wishes;
  const at = new Date();
  await insert(db, 'users', {
    id: made.id,
    region: made.region,
    email: made.email,
    password_hash: await hashOf(made.password),
    status,
    roles: made.roles,
    first_name: wishes.firstName ?? 'Ada',
    last_name: wishes.lastName ?? 'Lovelace',
    kyc_level: status === 'PENDING_VERIFICATION' ? 'NONE' : kycLevel,
    kyc_status: kycLevel === 'STANDARD' || kycLevel === 'ENHANCED' ? 'APPROVED' : 'NOT_STARTED',
    email_verified_at: status === 'PENDING_VERIFICATION' ? null : at,
    created_at: at,
    updated_at: at,
  });
  return made;
}

export const admin = (db: Db, wishes: UserWishes = {}): Promise<User> =>
  user(db, { roles: ['USER', 'ADMIN'], ...wishes });

export const superAdmin = (db: Db, wishes: UserWishes = {}): Promise<User> =>
  user(db, { roles: ['USER', 'ADMIN', 'SUPER_ADMIN'], ...wishes });

/** A user who can check out: a default address, and money in the wallet if wished, in minor units of USD. */
export async function buyer(
  db: Db,
  {
    walletMinor = 0,
    country = 'DE',
    ...wishes
  }: UserWishes & { walletMinor?: number; country?: string } = {},
): Promise<Buyer> {
  const made = await user(db, wishes);
  const addressId = await address(db, made.id, { country, isDefault: true });
  if (walletMinor > 0) await money(db, made.id, walletMinor);
  return { ...made, addressId };
}

/** A second factor in force, by e-mail, with a backup code that nobody knows. */
export async function secondFactor(db: Db, userId: string): Promise<void> {
  const at = new Date();
  await insert(db, 'second_factors', { user_id: userId, method: 'EMAIL', created_at: at, enabled_at: at });
  await insert(db, 'backup_codes', { user_id: userId, code_hash: 'of nothing' });
}

/** Answers the address's id. */
export async function address(db: Db, userId: string, wishes: AddressWishes = {}): Promise<string> {
  const id = v7();
  const at = new Date();
  await insert(db, 'addresses', {
    id,
    user_id: userId,
    label: wishes.label ?? null,
    is_default: wishes.isDefault ?? false,
    recipient_name: wishes.recipientName ?? 'Ada Lovelace',
    street: wishes.street ?? 'Unter den Linden 1',
    city: wishes.city ?? 'Berlin',
    region: wishes.region ?? null,
    country: wishes.country ?? 'DE',
    postal_code: wishes.postalCode ?? '10117',
    created_at: at,
    updated_at: at,
  });
  return id;
}

/** Puts money (minor units) into one of a user's accounts, out of the platform's payments account. */
export async function money(
  db: Db,
  userId: string,
  amountMinor: number,
  account: 'wallet' | 'partner_pending' | 'partner_available' | 'payout_hold' = 'wallet',
  currency = 'USD',
): Promise<void> {
  const transferId = v7();
  const at = new Date();
  const line = { transfer_id: transferId, currency, created_at: at };
  await inTransaction(db, async (tx) => {
    await insert(tx, 'ledger_transfers', { id: transferId, reference: `test:${transferId}`, created_at: at });
    await insert(tx, 'ledger_entries', { ...line, account, user_id: userId, amount_minor: amountMinor });
    await insert(tx, 'ledger_entries', { ...line, account: 'payments', amount_minor: -amountMinor });
  });
}
