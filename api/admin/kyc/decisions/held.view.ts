import { z } from 'zod';
import type { ReviewedVerification } from '../../../../db/kyc/review/reviewed.reads';
import { shownStatus } from '../../../../workflows/kyc/submission.rules';
import { KycStatusField } from '../../../kyc/kyc-enums.view';

/** A verification as it stands after a reviewer took it, put it back, or asked its user for more. */
export const HeldVerification = z
  .object({
    id: z.uuid().describe('Identifies the verification; a UUID.'),
    status: KycStatusField,
    assignedTo: z.uuid().nullable().describe('The reviewer who has claimed it; null while nobody has.'),
    assignedToEmail: z
      .string()
      .nullable()
      .describe('The email address of `assignedTo`; null while nobody has claimed it.'),
  })
  .meta({ id: 'HeldVerification' });

export const heldView = ({
  id,
  status,
  assignedTo,
  assignedEmail,
}: ReviewedVerification): z.output<typeof HeldVerification> => ({
  id,
  status: shownStatus(status).status,
  assignedTo,
  assignedToEmail: assignedEmail,
});
