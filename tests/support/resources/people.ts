import { execute, firstRow } from '../../../db/sql/query';
import { documentIn, submittedCase, verificationIn } from '../../api/admin/kyc/cases';
import { begunVerification } from '../builders/kyc/verifying';
import { make } from '../builders/make';
import { signIn } from '../builders/sign-in';
import type { Make, Makes } from './make';

const user =
  (status: 'ACTIVE' | 'SUSPENDED' | 'BANNED'): Make =>
  async ({ world: { db } }) =>
    (await make.user(db, { status })).id;

const submitted: Make = async ({ world }) => (await submittedCase(world)).id;

/** One that the caller has claimed; not by the endpoint, whose audit record would be one too many. */
const claimed: Make = async ({ world }, { caller }) => {
  const { id } = await submittedCase(world);
  await execute(
    world.db,
    `UPDATE kyc_verifications SET status = 'UNDER_REVIEW', assigned_to = $2, claimed_at = now(),
       claim_lapses_at = now() + interval '1 day' WHERE id = $1`,
    [id, caller.user.id],
  );
  return id;
};

/** One that was rejected for good. */
const rejected: Make = async ({ world }) => {
  const made = await verificationIn(world, { status: 'REJECTED', canResubmit: false });
  await documentIn(world, made);
  return made.id;
};

/** A document of the verification that the request names, else one of the owner's own, with its file. */
const document: Make = async ({ world }, { owner, within }) => {
  if (within.verification !== undefined) {
    const held = await firstRow<{ id: string }>(
      world.db,
      'SELECT document_id AS id FROM kyc_verification_documents WHERE kyc_id = $1 LIMIT 1',
      [within.verification],
    );
    return held!.id;
  }
  const { user } = await owner();
  const begun = await firstRow<{ id: string }>(
    world.db,
    `SELECT id FROM kyc_verifications WHERE user_id = $1 AND status = 'DOCUMENTS_PENDING'`,
    [user.id],
  );
  const kycId = begun?.id ?? (await begunVerification(world.db, { user })).kycId;
  return documentIn(world, { id: kycId, user });
};

/** Accounts, and what people prove of themselves. */
export const people = {
  address: { any: async ({ world: { db } }, { owner }) => make.address(db, (await owner()).user.id) },
  'identity document': { any: document },
  session: {
    any: async ({ world }, { owner }) => {
      const { user } = await owner();
      await signIn(world, user);
      const newest = await firstRow<{ id: string }>(
        world.db,
        'SELECT id FROM sessions WHERE user_id = $1 ORDER BY id DESC LIMIT 1',
        [user.id],
      );
      return newest!.id;
    },
  },
  user: {
    any: async ({ world: { db } }) => {
      const { id } = await make.user(db);
      await make.secondFactor(db, id);
      return id;
    },
    ACTIVE: user('ACTIVE'),
    SUSPENDED: user('SUSPENDED'),
    BANNED: user('BANNED'),
  },
  verification: { any: submitted, SUBMITTED: submitted, UNDER_REVIEW: claimed, REJECTED: rejected },
} satisfies Record<string, Makes>;
