import { v7 } from 'uuid';
import { firstRow } from '../../../../../db/sql/query';
import { make } from '../../../../support/builders/make';
import type { Arrange } from '../arranged';
import type { FamilyWorld, Person } from '../family-world';

/** The caller's membership, made once, with somebody below. */
async function memberOf({ world: { db } }: FamilyWorld, { user }: Person): Promise<string> {
  const found = await firstRow<{ id: string }>(db, 'SELECT id FROM partners WHERE user_id = $1', [user.id]);
  if (found) return found.id;
  const { id } = await make.partner(db, { userId: user.id });
  await make.partner(db, { sponsorId: id });
  return id;
}

const asPartner: Arrange = async (family, person) => {
  await memberOf(family, person);
  return {};
};

const onePartner: Arrange = async ({ world: { db } }) => {
  const { id } = await make.partner(db);
  await make.partner(db, { sponsorId: id });
  return { params: { id } };
};

const statement: Arrange = async ({ world: { db } }) => ({
  params: { id: (await make.partner(db)).id, month: '2026-11' },
});

const ownLink: Arrange = async (family, person) => {
  await memberOf(family, person);
  const { id } = await family.post('/mlm/referrals/links', { name: `Link ${v7()}` }, person);
  return { params: { id: String(id) } };
};

/** The partner programme, as partners use it and administrators read it. */
export const networkArrangements: Readonly<Record<string, Arrange>> = {
  'GET /mlm/partner/me': asPartner,
  'GET /mlm/partner/network': asPartner,
  'GET /mlm/partner/network/stats': asPartner,
  'GET /mlm/referrals/links': async (family, person) => {
    await ownLink(family, person);
    return {};
  },
  'POST /mlm/referrals/links': asPartner,
  'GET /mlm/referrals/links/:id/stats': ownLink,
  'GET /admin/partners/:id': onePartner,
  'GET /admin/partners/:id/network': onePartner,
  'GET /admin/partners/:id/statements/:month': statement,
  'GET /admin/partners/:id/statements/:month/export': statement,
};
