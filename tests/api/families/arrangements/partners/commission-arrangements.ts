import { firstRow } from '../../../../../db/sql/query';
import { make } from '../../../../support/builders/make';
import type { Arrange } from '../arranged';
import type { FamilyWorld, Person } from '../family-world';

/** The caller's partner, which is made once. */
async function ownPartner({ world: { db } }: FamilyWorld, { user }: Person): Promise<string> {
  const known = await firstRow<{ id: string }>(db, 'SELECT id FROM partners WHERE user_id = $1', [user.id]);
  return known?.id ?? (await make.partner(db, { userId: user.id })).id;
}

const asPartner: Arrange = async (family, as) => {
  await ownPartner(family, as);
  return {};
};

const statement: Arrange = async (family, as) => {
  await ownPartner(family, as);
  return { params: { month: '2026-11' } };
};

const anothers: Arrange = async ({ world }) => ({ params: { id: (await make.commission(world.db)).id } });

/** Endpoints about commissions and ranks. */
export const commissionArrangements: Readonly<Record<string, Arrange>> = {
  'GET /mlm/commissions': asPartner,
  'GET /mlm/commissions/summary': asPartner,
  'GET /mlm/commissions/history': asPartner,
  'GET /mlm/commissions/export': asPartner,
  'GET /mlm/commissions/:id/explain': async (family, as) => {
    const partnerId = await ownPartner(family, as);
    return { params: { id: (await make.commission(family.world.db, { partnerId })).id } };
  },
  'GET /mlm/statements/:month': statement,
  'GET /mlm/statements/:month/export': statement,
  'GET /mlm/ranks/current': asPartner,
  'GET /mlm/ranks/progress': asPartner,
  'GET /mlm/ranks/history': asPartner,
  'GET /admin/commissions/:id/explain': anothers,
  'POST /admin/commissions/:id/adjust': async (family, as) => ({
    ...(await anothers(family, as)),
    body: { action: 'ADJUST_AMOUNT', newAmount: 7.5 },
  }),
};
