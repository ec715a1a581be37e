import { z } from 'zod';
import { refusal } from '../../../workflows/errors';
import { providerEventProcess } from '../../../workflows/investment/provider-event/provider-event.contract';
import { endpoint } from '../../http/endpoint';
import type { Context } from '../../http/handler-context';
import { webhookLimit } from '../../http/limits/limits';
import { identifying } from '../../http/request/ids/identified';
import type { Intake } from '../../http/request/intake';
import { ReceivedReport, receiveReport } from '../../webhooks/receive-report';

export const receiveProviderEvent = endpoint({
  id: 'receiveProviderReport',
  returns: { 200: 'A report that was received before', 202: 'The report is stored and will be applied' },
  method: 'post',
  path: '/investment/webhooks/:providerCode',
  summary: 'Take an investment provider’s report',
  description:
    'Standard Webhooks: `webhook-id`, `webhook-timestamp` and `webhook-signature` (`v1,<base64>` HMAC-SHA256 over ' +
    '`id.timestamp.body`), with a body { type, timestamp, data }. Types: `investment.created`, `profit.distributed`, ' +
    '`investment.updated`, `investment.withdrawn`, `kyc.synced`; others are stored and change nothing. The report is ' +
    'stored before the answer and applied after it, exactly once; one that comes before what it is about waits for it. Its ids and `strategyCode` are printable ASCII characters without ' +
    'spaces and `@`. Numbers have at most 100 characters, values are nested at most 100 deep, and no text has U+0000.',
  tag: 'Investment',
  auth: 'public',
  limit: webhookLimit,
  idempotent: false,
  raw: true,

  params: z.object({
    providerCode: identifying(
      z.string().max(50).meta({ description: 'The code of the provider.', example: 'alpha' }),
      'investment provider',
    ),
  }),
  example: {
    type: 'profit.distributed',
    timestamp: '2026-01-31T12:00:00.000Z',
    data: { externalId: 'P-2026-0117', investmentExternalId: 'A-1187', amount: 12.5 },
  },
  success: [202, 200],
  data: ReceivedReport,
  errors: { PROVIDER_NOT_FOUND: 404, INVALID_SIGNATURE: 401 },

  async sender({ providerCode }, context) {
    const { isSigned, perMinute } = await intakeOf(providerCode, context);
    return { name: providerCode, isSigned, ...(perMinute !== undefined && { perMinute }) };
  },

  async handle({ params: { providerCode } }, context) {
    const intake = await intakeOf(providerCode, context);
    const source = { kind: 'INVESTMENT', provider: providerCode, process: providerEventProcess } as const;
    return receiveReport(intake, source, context);
  },
});

/** The intake of an active provider's reports; refused PROVIDER_NOT_FOUND. */
async function intakeOf(code: string, { providerIntake }: Pick<Context, 'providerIntake'>): Promise<Intake> {
  const intake = await providerIntake(code);
  if (!intake) throw refusal('PROVIDER_NOT_FOUND', 'No such investment provider.');
  return intake;
}
