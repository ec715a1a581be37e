import { hash } from '@node-rs/argon2';
import { v7 } from 'uuid';
import { postTransfer } from '../../../../db/ledger/ledger.transitions';
import type { Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { verified } from './approvals';
import { insert, nextNumber } from './insert';

export interface User {
  id: string;
  email: string;
  password: string;
  region: 'EU' | 'US' | 'APAC';
  roles: readonly ('USER' | 'ADMIN' | 'SUPER_ADMIN')[];
}

interface UserOptions extends Partial<Omit<User, 'id'>> {
  status?: 'PENDING_VERIFICATION' | 'ACTIVE' | 'SUSPENDED' | 'BANNED';
  firstName?: string;
  lastName?: string;
  kycLevel?: 'NONE' | 'BASIC' | 'STANDARD' | 'ENHANCED';
}

export interface Buyer extends User {
  addressId: string;
}

interface AddressOptions {
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
/** Checking a password costs as its hash says: this one is as cheap as argon2 allows, for hashing is not the subject. */
const CHEAP = { memoryCost: 8, timeCost: 1 };
const hashOf = (text: string): Promise<string> => hash(text, CHEAP);

/** A user with a verified e-mail address and nothing else. */
export async function user(db: Db, options: UserOptions = {}): Promise<User> {
  const n = nextNumber();
  const made: User = {
    id: v7(),
    email: options.email ?? `person${n}@example.com`,
    password: options.password ?? password,
    region: options.region ?? 'EU',
    roles: options.roles ?? ['USER'],
  };
  const { status = 'ACTIVE', kycLevel = 'BASIC' } = options;
  const at = new Date();
  const isVerified = kycLevel === 'STANDARD' || kycLevel === 'ENHANCED';
  await insert(db, 'users', {
    id: made.id,
    region: made.region,
    email: made.email,
    password_hash: await hashOf(made.password),
    status,
    roles: made.roles,
    first_name: options.firstName ?? 'Ada',
    last_name: options.lastName ?? 'Lovelace',
    kyc_level: status === 'PENDING_VERIFICATION' ? 'NONE' : kycLevel,
    kyc_status: isVerified ? 'APPROVED' : 'NOT_STARTED',
    email_verified_at: status === 'PENDING_VERIFICATION' ? null : at,
    created_at: at,
    updated_at: at,
  });
  if (isVerified) await verified(db, made.id, { level: kycLevel, at });
  return made;
}

export const admin = (db: Db, options: UserOptions = {}): Promise<User> =>
  user(db, { roles: ['USER', 'ADMIN'], ...options });

export const superAdmin = (db: Db, options: UserOptions = {}): Promise<User> =>
  user(db, { roles: ['USER', 'ADMIN', 'SUPER_ADMIN'], ...options });

/** A user who can check out: a default address, and `walletMinor` of USD in the wallet. */
export async function buyer(
  db: Db,
  {
    walletMinor = 0,
    country = 'DE',
    ...options
  }: UserOptions & { walletMinor?: number; country?: string } = {},
): Promise<Buyer> {
  const made = await user(db, options);
  const addressId = await address(db, made.id, { country, isDefault: true });
  if (walletMinor > 0) await money(db, made.id, walletMinor);
  return { ...made, addressId };
}

/** A second factor in force, by e-mail, with a backup code that matches no input. */
export async function secondFactor(db: Db, userId: string): Promise<void> {
  const at = new Date();
  await insert(db, 'second_factors', { user_id: userId, method: 'EMAIL', created_at: at, enabled_at: at });
  await insert(db, 'backup_codes', { user_id: userId, code_hash: 'of nothing' });
}

/** Codes of countries that do not have the form of Germany's. */
const POSTAL_CODES: Readonly<Record<string, string>> = { CH: '8001', PT: '1100-148' };

/** An address; answers its id. */
export async function address(db: Db, userId: string, options: AddressOptions = {}): Promise<string> {
  const { country = 'DE' } = options;
  const id = v7();
  const at = new Date();
  await insert(db, 'addresses', {
    id,
    user_id: userId,
    label: options.label ?? null,
    is_default: options.isDefault ?? false,
    recipient_name: options.recipientName ?? 'Ada Lovelace',
    street: options.street ?? 'Unter den Linden 1',
    city: options.city ?? 'Berlin',
    region: options.region ?? null,
    country,
    postal_code: options.postalCode ?? POSTAL_CODES[country] ?? '10117',
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
  const id = v7();
  const side = { userId, currency, amountMinor };
  const held = account === 'payout_hold' ? { ...side, account, holdId: id } : { ...side, account };
  const from = { account: 'payments', currency, amountMinor: -amountMinor } as const;
  await inTransaction(db, (tx) =>
    postTransfer(tx, {
      reference: { kind: 'seed-wallet', subjectId: id },
      entries: [held, from],
      at: new Date(),
    }),
  );
}
