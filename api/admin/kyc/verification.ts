import { z } from 'zod';
import { reviewedVerification, type ReviewedVerification } from '../../../db/kyc/review/reviewed.reads';
import type { Db } from '../../../db/sql/query';
import { refusal } from '../../../workflows/errors';
import { idOf } from '../../http/request/ids/id-of';

/** The path parameters of endpoints about one verification. */
export const oneVerification = (...states: readonly string[]) =>
  z.object({ id: idOf('verification', ...states) });

/** The refusal of an unknown verification. */
export const noSuchVerification = (): Error => refusal('KYC_NOT_FOUND');

/** The refusal of an administrator's own verification. */
export const ownVerification = (): Error => refusal('FORBIDDEN', 'You cannot review your own verification.');

/** A verification that this administrator may review. Refuses with KYC_NOT_FOUND, and FORBIDDEN for their own. */
export async function verificationOfAnother(
  db: Db,
  id: string,
  callerId: string,
): Promise<ReviewedVerification> {
  const verification = await reviewedVerification(db, id);
  if (!verification) throw noSuchVerification();
  if (verification.userId === callerId) throw ownVerification();
  return verification;
}
