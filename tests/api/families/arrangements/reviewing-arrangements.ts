import { execute } from '../../../../db/sql/query';
import { documentIn, submittedCase, verificationIn } from '../../admin/kyc/cases';
import type { Arrange } from './arranged';

/** Another user's verification, which is submitted. */
const submitted: Arrange = async ({ world }) => ({ params: { id: (await submittedCase(world)).id } });

/** The same, of which no document is at fault. */
const faultless: Arrange = async (family, as) => ({
  ...(await submitted(family, as)),
  body: { rejectedDocuments: undefined },
});

/** A verification that the caller has claimed; not by the endpoint, whose audit record would be one too many. */
const claimed: Arrange = async ({ world }, { user }) => {
  const { id } = await submittedCase(world);
  await execute(
    world.db,
    `UPDATE kyc_verifications SET status = 'UNDER_REVIEW', assigned_to = $2, claimed_at = now(),
       claim_lapses_at = now() + interval '1 day' WHERE id = $1`,
    [id, user.id],
  );
  return { params: { id } };
};

const document: Arrange = async ({ world }) => {
  const { id, documents } = await submittedCase(world);
  return { params: { id, documentId: String(documents.PASSPORT) } };
};

/** A verification that was rejected for good. */
const final: Arrange = async ({ world }) => {
  const made = await verificationIn(world, { status: 'REJECTED', canResubmit: false });
  await documentIn(world, made);
  return { params: { id: made.id } };
};

/** Endpoints by which administrators review identities. */
export const reviewingArrangements: Readonly<Record<string, Arrange>> = {
  'GET /admin/kyc/:id': submitted,
  'GET /admin/kyc/:id/documents/:documentId/file': document,
  'GET /admin/kyc/:id/documents/:documentId/thumbnail': document,
  'POST /admin/kyc/:id/claim': submitted,
  'POST /admin/kyc/:id/release': claimed,
  'POST /admin/kyc/:id/request-info': submitted,
  'POST /admin/kyc/:id/approve': submitted,
  'POST /admin/kyc/:id/reject': faultless,
  'POST /admin/kyc/:id/allow-resubmission': final,
};
