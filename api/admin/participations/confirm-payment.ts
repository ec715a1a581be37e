import { z } from 'zod';
import {
  participationHead,
  type ParticipationHead,
} from '../../../db/investment/participation/participation-head.reads';
import type { Db } from '../../../db/sql/query';
import { participationTransferOutcome } from '../../../workflows/commerce/payment/bank-transfer.contract';
import { refusal } from '../../../workflows/errors';
import { PARTICIPATION_PAYMENT_STATUSES } from '../../../workflows/investment/participation/participation.rules';
import { participationStates } from '../../../workflows/investment/participation/participation.states';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { enterTransfer, TransferBody } from '../enter-transfer';
import { participationReference } from '../../http/request/references';

export const confirmParticipationPayment = endpoint({
  method: 'post',
  path: '/admin/participations/:id/payment',
  summary: 'Enter a bank transfer for a participation',
  description:
    'For money seen on the bank account. It pays a participation that waits for payment, whichever method was ' +
    'requested; any other money is recorded and sent back. An amount other than that of the participation is refused, ' +
    'or sent back with `onMismatch: "RETURN"`. A bank reference, however its letters, dashes and blanks are written, ' +
    'is recorded once; for the same participation again it changes nothing.',
  tag: 'Administration: orders',
  auth: 'admin',
  limit: perMinute(200),

  params: z.object({ id: participationReference() }),
  body: TransferBody,
  success: 200,
  data: z
    .object({
      participationId: z.uuid(),
      status: z.enum(participationStates.names),
      paymentStatus: z.enum(PARTICIPATION_PAYMENT_STATUSES),
      outcome: z.enum(['APPLIED', 'RETURNED']),
    })
    .meta({ id: 'ConfirmedParticipationPayment' }),
  errors: { PARTICIPATION_NOT_FOUND: 404, AMOUNT_MISMATCH: 400, FORBIDDEN: 403 },

  async handle({ params: { id }, body }, context) {
    const participation = await requireParticipation(context.db, id);
    const ref = { participationId: id };
    const confirmed = await enterTransfer(context, ref, participation, body, participationTransferOutcome);
    return { participationId: id, ...confirmed };
  },
});

async function requireParticipation(db: Db, id: string): Promise<ParticipationHead> {
  const participation = await participationHead(db, id);
  if (!participation) throw refusal('PARTICIPATION_NOT_FOUND', 'No such participation.');
  return participation;
}
