import { z } from 'zod';
import { sponsorOf } from '../../../db/partners/membership/membership-letter.reads';
import { partnerOfUser } from '../../../db/partners/membership/partner.reads';
import { refusal } from '../../../workflows/errors';
import { entranceProcess, openEntrance } from '../../../workflows/partners/membership/entrance.contract';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { shortName } from '../short-name';
import { EntranceMethodField, EntrancePayment, entrancePaymentView } from './entrance-payment.view';
import { PartnerStatusField } from './partner.view';

const Joined = z
  .object({
    partnerId: z.uuid().nullable().meta({ description: 'Null while the entrance fee is not paid.' }),
    referralCode: z.string().nullable().meta({ example: 'KX7RMQ4W' }),
    status: PartnerStatusField.nullable(),
    sponsor: z
      .object({ id: z.uuid(), name: z.string(), referralCode: z.string() })
      .nullable()
      .meta({ description: 'The partner who referred you when you registered; null without one.' }),
    payment: EntrancePayment.nullable().meta({
      description: 'The way to pay the entrance fee; null when nothing is to be paid.',
    }),
  })
  .meta({ id: 'JoinedPartner' });

export const joinPartnerProgramme = endpoint({
  id: 'joinPartnerProgramme',
  returns: 'The membership, or the way to pay the entrance fee',
  method: 'post',
  path: '/mlm/partner/join',
  summary: 'Join the partner programme',
  description:
    'Without an entrance fee you are a partner at once. Else `paymentMethod` is required: from the balance you are one ' +
    'at once; by card or bank transfer when the fee is paid, within 30 minutes or 72 hours, and after that you may ask ' +
    'again. Asked again while it waits, the answer is the same payment, or one by the other method. Your sponsor is the ' +
    'partner who referred you when you registered. VALIDATION_ERROR with the reason AMOUNT_NOT_PAYABLE or PAYMENT_REFUSED: ' +
    'the provider of the method does not take such an amount, or this payment; another method may be taken.',
  tag: 'Partner programme',
  auth: 'user',
  limit: perMinute(100),

  body: z.object({
    acceptTerms: z.literal(true, 'must be true').meta({ description: 'Must be true.', example: true }),
    paymentMethod: EntranceMethodField.optional().meta({
      description: 'Required where an entrance fee is due.',
    }),
  }),
  success: 201,
  data: Joined,
  errors: { ALREADY_PARTNER: 409, INSUFFICIENT_BALANCE: 400, NOT_PAYABLE: 400, FORBIDDEN: 403 },

  async handle({ body: { paymentMethod = null } }, { db, caller, mint, processes, request }) {
    const ids = await mint('partner', 'entrance', 'attempt');
    const before = await partnerOfUser(db, caller.id);
    // A process that can only be refused is not started. A repetition finds what it joined, or paid, before.
    if (before && before.id !== ids.partner && before.entranceId !== ids.entrance)
      throw refusal('ALREADY_PARTNER');
    const opened = before
      ? { payment: null }
      : await processes.open(
          entranceProcess,
          { userId: caller.id },
          openEntrance,
          {
            partnerId: ids.partner,
            entranceId: ids.entrance,
            attemptId: ids.attempt,
            paymentMethod,
          },
          { updateId: request.idempotencyId },
        );
    const partner = before ?? (await partnerOfUser(db, caller.id));
    const sponsor = await sponsorOf(db, caller.id);
    return {
      partnerId: partner?.id ?? null,
      referralCode: partner?.referralCode ?? null,
      status: partner?.status ?? null,
      sponsor: sponsor && { id: sponsor.id, name: shortName(sponsor), referralCode: sponsor.referralCode },
      payment: opened.payment && !partner ? entrancePaymentView(opened.payment) : null,
    };
  },
});
