import { z } from 'zod';
import {
  providerReportsOn,
  type ProviderReport,
} from '../../db/investment/kyc-push/kyc-provider-report.reads';
import { sealPurposes } from '../../db/sealing/purposes';
import type { Context } from '../http/handler-context';

export const ProviderReportView = z
  .object({
    id: z.uuid().describe('Identifies the report; a UUID.'),
    providerCode: z.string().describe('The provider that said it.'),
    status: z.string().meta({ description: 'In the words of the provider.', example: 'APPROVED' }),
    level: z.string().meta({ description: 'In the words of the provider.', example: 'STANDARD' }),
    data: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'What the provider says of the person; null where it said no more.' }),
    receivedAt: z.iso.datetime().describe('When the report came.'),
  })
  .meta({
    id: 'KycProviderReport',
    description: 'What a provider of investments has found out about a person. It approves nothing.',
  });

type View = z.output<typeof ProviderReportView>;

/** The newest reports of providers on a user, opened. */
export async function openedProviderReports(
  userId: string,
  limit: number,
  context: Pick<Context, 'db' | 'identity' | 'log'>,
): Promise<View[]> {
  const reports = await providerReportsOn(context.db, userId, limit);
  return reports.map((report) => ({
    id: report.id,
    providerCode: report.providerCode,
    status: report.status,
    level: report.level,
    data: openedData(report, context),
    receivedAt: report.receivedAt.toISOString(),
  }));
}

/** Null also when it cannot be opened, so that a lost key does not hide the rest. */
function openedData(
  { id, data }: ProviderReport,
  { identity, log }: Pick<Context, 'identity' | 'log'>,
): View['data'] {
  if (data === null) return null;
  try {
    const text = identity.sealing.open(data, sealPurposes.kycProviderReport(id)).toString();
    return JSON.parse(text) as NonNullable<View['data']>;
  } catch (error) {
    log.error({ err: error, reportId: id }, 'the report of a provider on a person cannot be opened');
    return null;
  }
}
