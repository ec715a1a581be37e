import { z } from 'zod';
import { participationToOpen } from '../../../db/investment/participation/participation-opening.reads';
import { participationStanding } from '../../../db/investment/standing/participation-standing.reads';
import { figureInMajor, PLATFORM_CURRENCY, toMinor } from '../../../workflows/commerce/money.rules';
import { carriedOutUntil } from '../../../workflows/commerce/checkout/checkout.contract';
import { moneyLabel } from '../../../workflows/commerce/order/order-label.rules';
import { refusal } from '../../../workflows/errors';
import {
  openParticipation,
  participationProcess,
  type OpenedParticipation,
} from '../../../workflows/investment/participation/participation.contract';
import { requireOffered } from '../../../workflows/investment/participation/require-offered';
import { endpoint } from '../../http/endpoint';
import { unboundedMoney } from '../../http/request/fields';
import { financialPerMinute } from '../../http/limits/limits';
import { ParticipationStatusField } from './participation.view';
import {
  ParticipationMethodField,
  ParticipationPayment,
  participationPaymentView,
} from './participation-payment.view';
import { idOf } from '../../http/request/ids/id-of';

const Investment = z.object({
  strategyId: idOf('strategy', 'ACTIVE').meta({ description: 'The strategy to invest in.' }),
  // Any amount and any days: the codes for those outside the range of the strategy are of the contract.
  amount: unboundedMoney().meta({
    description: 'Within the limits of the strategy.',
    example: 1_000,
  }),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be a currency code like USD')
    .default(PLATFORM_CURRENCY)
    .meta({ description: 'The currency of the strategy.', example: PLATFORM_CURRENCY }),
  durationDays: z.int().meta({ description: 'Within the range of the strategy.', example: 90 }),
  options: z
    .object({
      compounding: z.boolean().optional().meta({
        description:
          'With `autoReinvest`: the returns are invested again too, where the strategy offers that.',
      }),
      autoReinvest: z.boolean().optional().meta({
        description: 'At its maturity the principal is invested again, where the strategy offers that.',
      }),
    })
    .optional()
    .describe('What happens at its maturity; without any, all is paid out.'),
  paymentMethod: ParticipationMethodField,
  acceptRiskDisclosure: z.boolean().meta({ description: 'Must be true.', example: true }),
  acceptTerms: z.boolean().meta({ description: 'Must be true.', example: true }),
});

const Opened = z
  .object({
    participationId: z.uuid().describe('The participation that it is about.'),
    strategyId: z.uuid().describe('The strategy that it is of.'),
    strategyName: z.string().describe('The name of the strategy.'),
    amount: z.number(),
    currency: z.string(),
    durationDays: z.int().describe('The days from start to maturity.'),
    expectedReturn: z
      .object({
        min: z.number().describe('At the lowest rate; below zero for a loss.'),
        max: z.number().describe('At the highest rate.'),
        expected: z.number().describe('At the expected rate.'),
      })
      .meta({ description: 'Amounts for the whole duration, at the annual rates of the strategy.' }),
    maturityDate: z.iso
      .datetime()
      .meta({ description: 'While it waits for its payment: as if it were paid now.' }),
    status: ParticipationStatusField,
    payment: ParticipationPayment.nullable().meta({
      description: 'Null unless it waits for its payment.',
    }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'OpenedParticipation' });

export const openParticipationEndpoint = endpoint({
  id: 'invest',
  returns: 'The participation, and how to pay for it',
  method: 'post',
  path: '/investment/participations',
  summary: 'Invest in a strategy',
  description:
    'From the balance it starts at once; else it waits for its payment, 30 minutes for a card and 72 hours for a bank transfer, and is cancelled without it. Both acceptances must be true. VALIDATION_ERROR with the reason AMOUNT_NOT_PAYABLE: the provider of the method does not take such an amount; PAYMENT_REFUSED: it does not take this payment, and the participation is cancelled. KYC level STANDARD is needed, ENHANCED when more than 100,000 would be invested in all.',
  tag: 'Investment',
  auth: 'user',
  limit: financialPerMinute(3),

  body: Investment,
  success: 201,
  data: Opened,
  errors: {
    TERMS_NOT_ACCEPTED: 400,
    STRATEGY_NOT_FOUND: 404,
    STRATEGY_NOT_ACTIVE: 400,
    AMOUNT_BELOW_MINIMUM: 400,
    AMOUNT_ABOVE_MAXIMUM: 400,
    DURATION_INVALID: 400,
    KYC_REQUIRED: 403,
    STRATEGY_CAPACITY_REACHED: 400,
    INSUFFICIENT_BALANCE: 400,
  },
  refusalCounter: {
    name: 'platform_participations_refused_total',
    help: 'Investments refused since the start of the API process, by code; repeated requests count once.',
  },

  async handle({ body }, { db, processes, caller, mint, request }) {
    const amountMinor = minorOf(body.amount, body.currency);
    if (!body.acceptRiskDisclosure || !body.acceptTerms) throw refusal('TERMS_NOT_ACCEPTED');
    const { strategyId, currency, durationDays, paymentMethod } = body;
    const { compounding = false, autoReinvest = false } = body.options ?? {};
    const asked = { amountMinor, currency, durationDays, compounding, autoReinvest };

    const { participation: participationId, attempt: attemptId } = await mint('participation', 'attempt');
    // A process that can only be refused is not started, since its history would be stored for 30 days.
    const { offer, isOpened, number } = await participationToOpen(db, { participationId, strategyId });
    const name = isOpened ? (offer?.name ?? '') : requireOffered(offer, asked).name;
    const labelled = number !== null && {
      number,
      label: `${moneyLabel({ number, amountMinor, currency })} · ${name}`,
    };
    const opened = await processes.open(
      participationProcess,
      { participationId, userId: caller.id, ...labelled },
      openParticipation,
      { strategyId, paymentMethod, attemptId, ...asked, notAfter: carriedOutUntil(new Date()) },
      { updateId: request.idempotencyId },
    );
    // A repetition is answered what was answered first: it may have been paid, or cancelled, since.
    const { status = opened.standing.status } = (await participationStanding(db, participationId)) ?? {};
    return {
      participationId,
      strategyId,
      amount: body.amount,
      currency,
      durationDays,
      ...shown(opened, currency),
      status,
      payment:
        opened.payment && status === 'PENDING_PAYMENT' ? participationPaymentView(opened.payment) : null,
    };
  },
});

function minorOf(amount: number, currency: string): number {
  try {
    return toMinor(amount, currency);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw refusal('VALIDATION_ERROR', 'The amount is not one of this currency.', {
      amount: ['must have no more digits, before and after the point, than amounts of the currency have'],
    });
  }
}

function shown(
  { expectedMinor, strategyName, maturityDate, createdAt }: OpenedParticipation,
  currency: string,
) {
  return {
    strategyName,
    expectedReturn: {
      min: figureInMajor(expectedMinor.min, currency),
      max: figureInMajor(expectedMinor.max, currency),
      expected: figureInMajor(expectedMinor.expected, currency),
    },
    maturityDate,
    createdAt,
  };
}
