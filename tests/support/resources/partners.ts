import { v7 } from 'uuid';
import { firstRow, type Db } from '../../../db/sql/query';
import { make } from '../builders/make';
import { poolRun } from '../builders/make/partners/pool-runs';
import type { Make, Makes } from './make';

/** The partner that the user is, made once, with somebody below. */
export async function partnerOf(db: Db, userId: string): Promise<string> {
  const known = await firstRow<{ id: string }>(db, 'SELECT id FROM partners WHERE user_id = $1', [userId]);
  if (known) return known.id;
  const { id } = await make.partner(db, { userId });
  await make.partner(db, { sponsorId: id });
  return id;
}

/** The same, with another commission of 100.00 that can be paid out. */
export async function earningPartnerOf(db: Db, userId: string): Promise<string> {
  const partnerId = await partnerOf(db, userId);
  await make.commission(db, { partnerId, grossMinor: 100_00, status: 'APPROVED' });
  return partnerId;
}

const partner =
  (status: 'ACTIVE' | 'SUSPENDED'): Make =>
  async ({ world: { db } }) => {
    const { id } = await make.partner(db, { status });
    await make.partner(db, { sponsorId: id });
    return id;
  };

const commission =
  (status: 'PENDING' | 'APPROVED'): Make =>
  async ({ world: { db } }, { owner }) => {
    const partnerId = await partnerOf(db, (await owner()).user.id);
    return (await make.commission(db, { partnerId, status })).id;
  };

/** The partner programme. */
export const partners = {
  commission: {
    any: commission('PENDING'),
    PENDING: commission('PENDING'),
    APPROVED: commission('APPROVED'),
  },
  link: {
    any: async ({ world: { db }, post }, { owner }) => {
      const person = await owner();
      await partnerOf(db, person.user.id);
      return String((await post('/mlm/referrals/links', { name: `Link ${v7()}` }, person))['id']);
    },
  },
  partner: { any: partner('ACTIVE'), ACTIVE: partner('ACTIVE'), SUSPENDED: partner('SUSPENDED') },
  pool: { any: async ({ world: { db } }) => (await poolRun(db)).id },
} satisfies Record<string, Makes>;
