import { z } from 'zod';
import { auditRecords, type AuditRecordView } from '../../../db/administration/audit/audit-list.reads';
import { endpoint } from '../../http/endpoint';
import { isoDate, periodEnd, text, uuid } from '../../http/request/fields';
import { perMinute } from '../../http/limits/limits';
import { paging } from '../../http/answer/paging';
import { inMajorUnits } from './in-major-units';

const AuditRecord = z
  .object({
    id: z.uuid(),
    actor: z.object({ id: z.uuid(), email: z.string().nullable() }).nullable(),
    action: z.string(),
    entityType: z.string(),
    entityId: z.string(),
    previous: z.unknown().meta({
      description: 'What was before, as JSON; null if there was nothing.',
      example: { status: 'DRAFT' },
    }),
    next: z.unknown().meta({
      description: 'What is since, as JSON; null if it is gone.',
      example: { status: 'ACTIVE' },
    }),
    clientAddress: z.string().nullable(),
    createdAt: z.iso.datetime(),
    hash: z.string(),
  })
  .meta({
    id: 'AuditRecord',
    description:
      'Without an actor, the platform itself acted. Without an e-mail address, the account is gone.',
  });

const name = () => text({ min: 1, max: 100 });

export const listAuditLogs = endpoint({
  method: 'get',
  path: '/admin/audit-logs',
  summary: 'List what was changed, by whom',
  description:
    'Newest first. Dates are inclusive. Amounts are in major units and percentages in percent, as everywhere in the API.',
  tag: 'Administration: audit',
  auth: 'admin',
  limit: perMinute(200),

  query: z.object({
    ...paging(100),
    actor: uuid().optional().meta({ description: 'The id of the user who acted.' }),
    action: name().optional().meta({ example: 'user.suspend' }),
    entityType: name().optional().meta({ example: 'user' }),
    entityId: text({ min: 1, max: 255 }).optional(),
    dateFrom: isoDate().optional(),
    dateTo: periodEnd().optional(),
  }),
  success: 200,
  paginated: true,
  data: z.object({ records: z.array(AuditRecord) }),
  errors: {},

  async handle({ query: { page, pageSize, actor, dateFrom, dateTo, ...same } }, { db, reply }) {
    const filter = {
      ...same,
      actorId: actor,
      from: dateFrom === undefined ? undefined : new Date(dateFrom),
      to: dateTo === undefined ? undefined : new Date(dateTo),
    };
    const found = await auditRecords(db, filter, { limit: pageSize, offset: (page - 1) * pageSize });
    reply.page({ total: found.total, page, pageSize });
    return { records: found.records.map(recordView) };
  },
});

function recordView({ actorId, actorEmail, previous, next, createdAt, ...record }: AuditRecordView) {
  return {
    ...record,
    actor: actorId === null ? null : { id: actorId, email: actorEmail },
    previous: inMajorUnits(z.json().parse(previous)),
    next: inMajorUnits(z.json().parse(next)),
    createdAt: createdAt.toISOString(),
  };
}
