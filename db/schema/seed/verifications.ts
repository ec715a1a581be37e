import { rows, type Tx } from '../../sql/query';
import { DEMO_ACCOUNTS } from './demo-accounts';
import { addRows, seedId } from './rows';
import type { SeedStep } from './step';

const MONTHS = 24;

/** Approved verifications of the demo's verified accounts; no person decided them. */
export const demoVerifications: SeedStep = {
  title: 'demo verifications',
  isMissing: async (tx) => (await unapproved(tx)).length > 0,
  async add(tx, { at }) {
    const people = await unapproved(tx);
    const expiresAt = new Date(at);
    expiresAt.setUTCMonth(at.getUTCMonth() + MONTHS);
    const kycIdOf = (userId: string): string => seedId(`kyc:${userId}`);
    await addRows(
      tx,
      'kyc_verifications',
      people.map(({ id, level }) => ({
        id: kycIdOf(id),
        user_id: id,
        status: 'APPROVED',
        requested_level: level,
        level,
        priority: 'NORMAL',
        can_resubmit: true,
        first_submitted_at: at,
        submitted_at: at,
        decided_at: at,
        expires_at: expiresAt,
        created_at: at,
        updated_at: at,
      })),
    );
    await addRows(
      tx,
      'kyc_history',
      people.flatMap(({ id }) =>
        // The ids have no order, so the times do.
        ['STARTED', 'SUBMITTED', 'APPROVED'].map((action, step) => ({
          id: seedId(`kyc:${id}:${action}`),
          kyc_id: kycIdOf(id),
          action,
          at: new Date(at.getTime() - 2 + step),
        })),
      ),
    );
  },
};

/** Demo accounts with a level that no verification gives them yet. */
const unapproved = (tx: Tx): Promise<{ id: string; level: string }[]> =>
  rows(
    tx,
    `SELECT u.id, u.kyc_level AS level FROM users u
      WHERE u.email = ANY ($1) AND u.kyc_level IN ('STANDARD', 'ENHANCED')
        AND NOT EXISTS (SELECT 1 FROM kyc_verifications v WHERE v.user_id = u.id) ORDER BY u.id`,
    [DEMO_ACCOUNTS.map(({ email }) => email)],
  );
