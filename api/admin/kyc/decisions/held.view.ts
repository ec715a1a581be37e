import { z } from 'zod';
import type { ReviewedVerification } from '../../../../db/kyc/review/reviewed.reads';
import { kycVerificationStates } from '../../../../workflows/kyc/review/kyc-review.states';

/** A verification as it stands after a reviewer took it, put it back, or asked its user for more. */
export const HeldVerification = z
  .object({
    id: z.uuid(),
    status: z.enum(kycVerificationStates.names),
    assignedTo: z.uuid().nullable(),
    assignedToEmail: z.string().nullable(),
  })
  .meta({ id: 'HeldVerification' });

export const heldView = ({
  id,
  status,
  assignedTo,
  assignedEmail,
}: ReviewedVerification): z.output<typeof HeldVerification> => ({
  id,
  status,
  assignedTo,
  assignedToEmail: assignedEmail,
});
