import { z } from 'zod';
import type { StoredReport } from '../../../db/administration/webhook/webhook-event-detail.reads';
import type { ReportedParticipation } from '../../../db/investment/provider-event/reported-participation.reads';
import type { ReportedData } from './reported-data';
import { WebhookEventView, webhookEventView } from './webhook-event.view';
import { ParticipationStatusField } from '../../investment/participations/participation.view';

export const WebhookEventDetail = WebhookEventView.extend({
  data: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
    .nullable()
    .meta({
      description:
        'What it says, as it came, without personal data; null when its text is of no agreed form or was deleted.',
      example: { externalId: 'p-77', investmentExternalId: 'inv-12', amount: 12.5 },
    }),
  hiddenFields: z.array(z.string()).meta({
    description: 'The names of fields that are not shown, since they may have personal data.',
    example: ['email'],
  }),
  textDeleted: z.boolean().meta({
    description: 'True once its text was deleted, as is done some time after it was dealt with.',
  }),
  participation: z
    .object({
      id: z.uuid(),
      number: z.string().meta({
        description: 'The number of the participation, as people and bank transfers name it.',
        example: 'INV-2026-00000012',
      }),
      status: ParticipationStatusField,
      userId: z.uuid().describe('The user whose participation it is.'),
    })
    .nullable()
    .meta({ description: 'The participation that it is about; null when none is known.' }),
  confirmedAt: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'When a person let its amounts through although they are beyond the bounds.' }),
  waitsFor: z.string().nullable().meta({
    description:
      "The provider's id of the investment that the report waits for, or waited for in vain until it was DEAD.",
  }),
}).meta({ id: 'WebhookEventDetail', description: 'A report of a provider, and what it is about.' });

export const webhookEventDetailView = (
  report: StoredReport,
  said: ReportedData | null,
  participation: ReportedParticipation | null,
): z.output<typeof WebhookEventDetail> => ({
  ...webhookEventView(report),
  data: said?.data ?? null,
  hiddenFields: said?.hidden ?? [],
  textDeleted: report.body === null,
  participation,
  confirmedAt: report.confirmedAt?.toISOString() ?? null,
  waitsFor: report.waitsFor,
});
