import { z } from 'zod';
import type { AdministeredPayout } from '../../../../db/commerce/payout/administered-payout.reads';
import type { Policy } from '../../../../db/policy/config';
import { processPayout } from '../../../../workflows/commerce/payout/payout.contract';
import { businessDateAfter } from '../../../../workflows/commerce/payout/transfer-out.rules';
import { endpoint, type Endpoint } from '../../../http/endpoint';
import { noteOf } from '../../../http/idempotency/note';
import { perMinute } from '../../../http/limits/limits';
import { bankReference } from '../../../http/request/fields';
import type { PayoutDesk } from '../desk';
import { decide, payoutOfAnother } from './decide';

const ProcessedPayout = z
  .object({
    id: z.uuid().describe('Identifies the payout; a UUID.'),
    status: z
      .enum(['PROCESSING', 'COMPLETED'])
      .meta({ description: 'PROCESSING: it is not certain yet whether the money arrives.' }),
    externalReference: z
      .string()
      .nullable()
      .describe('What the provider or the bank calls the transfer; null if unknown.'),
    processedAt: z.iso.datetime().describe('When it was sent.'),
    processedBy: z.uuid().describe('The administrator who sent it, or had it sent.'),
    estimatedCompletion: z.iso
      .date()
      .nullable()
      .meta({ description: 'The day on which the money is to arrive; null if it has.' }),
  })
  .meta({ id: 'ProcessedPayout' });

export const processPayoutEndpoint = (desk: PayoutDesk): Endpoint =>
  endpoint({
    ...desk.process,
    summary: `Send the money of a ${desk.noun}`,
    description:
      'Through the payout provider, or by a person, as the platform is set up; with `externalReference` always by a person, so that nothing is sent a second time: it is PROCESSING until it is recorded as sent; CANNOT_SETTLE while a provider that was asked for it before has sent it, or may have. PAYMENT_FAILED: the transfer was certainly refused, and the payout is APPROVED again. Above the amount that the platform sets, another administrator than the one who approved it is needed: else FORBIDDEN with the reason SECOND_ADMINISTRATOR_REQUIRED. The money of an account that is not active is not sent: FORBIDDEN with the reason USER_STATUS_NOT_ALLOWED. Nor is that of a wallet while a bank has taken back more of its owner’s top-ups than the wallet held: TOP_UP_CHARGED_BACK.',
    tag: desk.tag,
    auth: 'admin',
    limit: perMinute(5),

    params: desk.one('APPROVED'),
    body: z.object({
      externalReference: bankReference({ max: 200 }).nullish().meta({
        description:
          'What the bank calls the transfer by which a person sends it from our bank account; left out: not known, or a provider sends it.',
        example: 'BANK-2026-2291',
      }),
    }),
    success: 200,
    data: ProcessedPayout,
    errors: {
      ...desk.notFound,
      NOT_APPROVED: 400,
      PAYMENT_FAILED: 400,
      CANNOT_SETTLE: 400,
      FORBIDDEN: 403,
    },

    async handle({ params: { id }, body: { externalReference } }, context) {
      await payoutOfAnother(context, desk, id);
      const noteId = await noteOf(context, externalReference ?? null, { entityId: id });
      const payout = await decide(context, desk, {
        ...{ id, noteId, action: 'PROCESS', update: processPayout, command: { noteId } },
      });
      return processedView(payout, context.policy);
    },
  });

function processedView(
  { id, status, transferReference, externalReference, processedAt, processedBy }: AdministeredPayout,
  { payoutBusinessDays }: Pick<Policy, 'payoutBusinessDays'>,
): z.output<typeof ProcessedPayout> {
  const isCompleted = status === 'COMPLETED';
  return {
    id,
    status: isCompleted ? 'COMPLETED' : 'PROCESSING',
    externalReference: transferReference ?? externalReference,
    processedAt: processedAt?.toISOString() ?? '',
    processedBy: processedBy ?? '',
    estimatedCompletion:
      isCompleted || !processedAt ? null : businessDateAfter(processedAt, payoutBusinessDays),
  };
}
