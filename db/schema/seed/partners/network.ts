import { announce } from '../../../administration/domain-event/domain-event.writes';
import { execute, firstRow, type Tx } from '../../../sql/query';
import { DEMO_ACCOUNTS } from '../demo-accounts';
import { seedId } from '../rows';
import type { SeedStep } from '../step';

const TOP = 'partner@example.com';
const member = (number: number): string => `member${number}@example.com`;

/** Each sponsor, and the members below who are partners themselves; sponsors come before their own. */
const PARTNERS: readonly [sponsor: string, members: readonly number[]][] = [
  [TOP, [1, 2, 3, 4]],
  [member(1), [5, 6, 7]],
  [member(2), [8, 9]],
  [member(3), [10]],
  [member(5), [11, 12]],
  [member(6), [13, 14]],
  [member(8), [15, 16]],
  [member(11), [17, 18]],
];
/** The accounts that a partner has referred, and that only buy. */
const CUSTOMERS: readonly [sponsor: string, accounts: readonly string[]][] = [
  [TOP, [member(19), member(20)]],
  [member(1), ['buyer@example.com', member(21)]],
  [member(5), [member(22)]],
];

/** The tree of the demo's partners, whose referral codes are their first names, and their customers. */
export const demoPartners: SeedStep = {
  title: 'demo partners',
  isMissing: async (tx) =>
    (await firstRow(
      tx,
      `SELECT 1 AS one FROM users u WHERE u.id = $1 AND u.erased_at IS NULL
         AND NOT EXISTS (SELECT 1 FROM partners WHERE user_id = u.id)`,
      [seedId(`user:${TOP}`)],
    )) !== null,
  async add(tx, { at }) {
    await addPartner(tx, TOP, null, at);
    for (const [sponsor, members] of PARTNERS)
      for (const number of members) await addPartner(tx, member(number), sponsor, at);
    for (const [sponsor, accounts] of CUSTOMERS)
      for (const email of accounts) await refer(tx, email, sponsor);
  },
};

/** Adds a partner; none where the account is gone, is one already, or has a sponsor that is none. */
async function addPartner(tx: Tx, email: string, sponsor: string | null, at: Date): Promise<void> {
  if (sponsor !== null) await refer(tx, email, sponsor);
  const account = DEMO_ACCOUNTS.find((one) => one.email === email);
  const [partnerId, userId] = [seedId(`partner:${email}`), seedId(`user:${email}`)];
  const added = await execute(
    tx,
    `INSERT INTO partners (id, user_id, referral_code, status, sponsor_id, joined_at, activated_at)
     SELECT $1, u.id, $3, 'ACTIVE', u.sponsor_id, $4, $4 FROM users u
     WHERE u.id = $2 AND u.erased_at IS NULL AND (u.sponsor_id IS NOT NULL) = $5 ON CONFLICT DO NOTHING`,
    [partnerId, userId, account?.firstName.toUpperCase(), at, sponsor !== null],
  );
  if (added > 0) await announce(tx, { type: 'partner.joined', partnerId, userId }, at.toISOString());
}

const refer = (tx: Tx, email: string, sponsor: string): Promise<number> =>
  execute(
    tx,
    `UPDATE users u SET sponsor_id = s.id FROM partners s
     WHERE u.id = $1 AND s.id = $2 AND u.sponsor_id IS NULL
       AND NOT EXISTS (SELECT 1 FROM partners WHERE user_id = u.id)`,
    [seedId(`user:${email}`), seedId(`partner:${sponsor}`)],
  );
