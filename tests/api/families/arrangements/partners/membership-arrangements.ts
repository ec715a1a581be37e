import { make } from '../../../../support/builders/make';
import type { Arrange } from '../arranged';

const partner =
  (status: 'ACTIVE' | 'SUSPENDED'): Arrange =>
  async ({ world }) => ({ params: { id: (await make.partner(world.db, { status })).id } });

/** Endpoints about memberships in the partner programme. */
export const membershipArrangements: Readonly<Record<string, Arrange>> = {
  'POST /admin/partners/:id/suspend': partner('ACTIVE'),
  'POST /admin/partners/:id/activate': partner('SUSPENDED'),
  'POST /admin/partners/:id/terminate': partner('ACTIVE'),
  'POST /admin/partners/:id/rank': partner('ACTIVE'),
};
