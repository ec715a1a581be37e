import { z } from 'zod';
import { endpoint, type Endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { bankReference } from '../../../http/request/fields';
import type { PayoutDesk } from '../desk';
import { adminPayoutView } from '../payout.view';
import { completeByHand } from './complete-by-hand';
import { SettlementOutcomeField } from '../../outcomes.view';

export const completePayoutEndpoint = (desk: PayoutDesk): Endpoint =>
  endpoint({
    ...desk.complete,
    summary: `Record that a ${desk.noun} was sent by hand`,
    description:
      'The money was sent from our bank account, or the bank refused the transfer, which makes the payout APPROVED again. One that is in a bank file: CANNOT_SETTLE until the report of the bank is entered, or the file is withdrawn. Where a provider sends it, the provider is asked: money that has arrived completes the payout by the provider’s transfer, which is ALREADY_SETTLED unless that transfer is the reference; REFUSED is recorded only if the provider says that the money never will arrive; one that was asked so long ago that it cannot say any more is settled as its statement says; else CANNOT_SETTLE. Above the amount that the platform sets, another administrator than the one who processed it is needed.',
    tag: desk.tag,
    auth: 'admin',
    limit: perMinute(200),

    params: desk.one('PROCESSING'),
    body: z.object({
      externalReference: bankReference({ max: 200 }).nullish().meta({
        description:
          'What the bank calls the transfer; of one payment only. Required unless it was entered when the payout was processed.',
        example: 'BANK-2026-2291',
      }),
      outcome: SettlementOutcomeField.default('DONE').meta({
        description: 'REFUSED: the bank or the provider refused the transfer, or returned it.',
      }),
    }),
    success: 200,
    data: desk.row,
    errors: {
      ...desk.notFound,
      NOT_PROCESSING: 400,
      ALREADY_SETTLED: 409,
      CANNOT_SETTLE: 400,
      FORBIDDEN: 403,
    },

    async handle({ params: { id }, body: { externalReference, outcome } }, context) {
      return adminPayoutView(await completeByHand(context, desk, { id, externalReference, outcome }));
    },
  });
