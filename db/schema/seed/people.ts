import { Algorithm, hash } from '@node-rs/argon2';
import { postTransfer } from '../../ledger/ledger.transitions';
import { firstRow, type Tx } from '../../sql/query';
import { DEMO_ACCOUNTS, DEMO_ADMINISTRATOR, isDemoPassword, type DemoAccount } from './demo-accounts';
import { addRows, seedId } from './rows';
import type { SeedStep, SeedOptions } from './step';

/** The API's parameters of password hashes. */
const ARGON2ID = { algorithm: Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const accountId = ({ email }: { email: string }): string => seedId(`user:${email}`);

/** The first SUPER_ADMIN, without whom nobody could appoint administrators. */
export const administrator: SeedStep = {
  title: 'administrator',
  isMissing: async (tx) =>
    (await firstRow(tx, `SELECT 1 AS one FROM users WHERE 'SUPER_ADMIN' = ANY(roles) LIMIT 1`)) === null,
  async add(tx, options) {
    const named = options.administrator ?? (options.production ? null : DEMO_ADMINISTRATOR);
    if (named === null)
      throw new Error(
        'There is no administrator yet: set ADMIN_EMAIL and ADMIN_PASSWORD for the first start.',
      );
    if (options.production && isDemoPassword(named.password))
      throw new Error('ADMIN_PASSWORD is a demo password, which everyone can read: choose another.');
    await addAccounts(tx, [{ ...DEMO_ADMINISTRATOR, ...named }], options);
  },
};

/** The demo's accounts; never added in production. */
export const demoPeople: SeedStep = {
  title: 'demo accounts',
  async isMissing(tx) {
    const emails = DEMO_ACCOUNTS.flatMap(({ email, role }) => (role === 'SUPER_ADMIN' ? [] : email));
    return (
      (await firstRow(tx, 'SELECT 1 AS one FROM users WHERE email = ANY($1) LIMIT 1', [emails])) === null
    );
  },
  async add(tx, options) {
    const taken = await firstRow<{ email: string }>(tx, 'SELECT email FROM users WHERE email = $1', [
      DEMO_ADMINISTRATOR.email,
    ]);
    const accounts = DEMO_ACCOUNTS.filter(({ email }) => email !== taken?.email);
    await addAccounts(tx, accounts, options);
    await addAddresses(tx, accounts, options);
    await fillWallets(tx, accounts, options);
  },
};

async function addAccounts(tx: Tx, accounts: readonly DemoAccount[], { at }: SeedOptions): Promise<void> {
  const passwords = [...new Set(accounts.map(({ password }) => password))];
  const hashes = await Promise.all(
    passwords.map(async (password) => [password, await hash(password, ARGON2ID)] as const),
  );
  const hashOf = new Map(hashes);
  const users = accounts.map((account) => ({
    id: accountId(account),
    region: 'EU',
    email: account.email,
    password_hash: hashOf.get(account.password),
    status: 'ACTIVE',
    roles: account.role === 'USER' ? ['USER'] : ['USER', account.role],
    first_name: account.firstName,
    last_name: account.lastName,
    kyc_status: account.kycLevel === 'BASIC' ? 'NOT_STARTED' : 'APPROVED',
    kyc_level: account.kycLevel,
    email_verified_at: at,
    created_at: at,
    updated_at: at,
  }));
  await addRows(tx, 'users', users);
}

async function addAddresses(tx: Tx, accounts: readonly DemoAccount[], { at }: SeedOptions): Promise<void> {
  const addresses = accounts.flatMap((account) => {
    if (account.address === null) return [];
    const { street, city, country, postalCode } = account.address;
    const recipientName = `${account.firstName} ${account.lastName}`;
    return {
      id: seedId(`address:${account.email}`),
      user_id: accountId(account),
      label: 'Home',
      is_default: true,
      recipient_name: recipientName,
      street,
      city,
      country,
      postal_code: postalCode,
      created_at: at,
      updated_at: at,
    };
  });
  await addRows(tx, 'addresses', addresses);
}

async function fillWallets(tx: Tx, accounts: readonly DemoAccount[], { at }: SeedOptions): Promise<void> {
  for (const account of accounts) {
    const { email, walletMinor: amountMinor } = account;
    await postTransfer(tx, {
      reference: { kind: 'seed-wallet', subjectId: email },
      entries: [
        { account: 'payments', currency: 'USD', amountMinor: -amountMinor },
        { account: 'wallet', userId: accountId(account), currency: 'USD', amountMinor },
      ],
      at,
    });
  }
}
