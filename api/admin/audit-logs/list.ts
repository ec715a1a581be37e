import { z } from 'zod';
import {
  accountsOfEmail,
  auditRecords,
  type AuditRecordView,
} from '../../../db/administration/audit/audit-list.reads';
import { AUDITED_ACTIONS, AUDITED_ENTITIES } from '../../../db/administration/audit/audit-vocabulary';
import type { Db } from '../../../db/sql/query';
import { refusal } from '../../../workflows/errors';
import { REGIONS } from '../../../workflows/identity/user/user.rules';
import { endpoint } from '../../http/endpoint';
import { isoDate, periodEnd, text, uuid } from '../../http/request/fields';
import { email } from '../../http/request/person-fields';
import { perMinute } from '../../http/limits/limits';
import { paging, windowOf } from '../../http/answer/paging';
import { UUID_PATTERN } from '../../../workflows/kit/values/uuid.rules';
import { inMajorUnits } from './in-major-units';

const AuditRecord = z
  .object({
    id: z.uuid().describe('Identifies the record; a UUID.'),
    actor: z
      .object({ id: z.uuid().describe('Identifies the user; a UUID.'), email: z.string().nullable() })
      .nullable()
      .describe('The user who acted; null if the platform itself did.'),
    action: z.string().describe('What was done, such as `user.suspend`.'),
    entityType: z.string().describe('The kind of thing that was changed, such as `order`.'),
    entityId: z.string().describe('The id of what it is about.'),
    previous: z.unknown().meta({
      description: 'What was before, as JSON; null if there was nothing.',
      example: { status: 'DRAFT' },
    }),
    next: z.unknown().meta({
      description: 'What is since, as JSON; null if it is gone.',
      example: { status: 'ACTIVE' },
    }),
    clientAddress: z
      .string()
      .nullable()
      .describe('The IP address of the request; null if the platform itself acted.'),
    createdAt: z.iso.datetime(),
    hash: z.string().describe('Chains the record to the one before it.'),
  })
  .meta({
    id: 'AuditRecord',
    description:
      'Without an actor, the platform itself acted. Without an email address, the account is gone.',
  });

/** A name of the vocabulary in any case of letters; records have it in lower case. */
const oneOf = (names: readonly string[]) =>
  text({ min: 1, max: 100 })
    .toLowerCase()
    .refine((name) => names.includes(name), 'must be one of those that GET /admin/audit-logs/actions lists');

/** Ids are in lower case in the records, also within the id of a process. */
const withSmallIds = (entityId: string): string =>
  entityId.replace(new RegExp(UUID_PATTERN, 'gi'), (id) => id.toLowerCase());

export const listAuditLogs = endpoint({
  id: 'listAuditRecords',
  returns: 'One page of audit records',
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
    actor: z
      .union([uuid(), email()], 'must be a UUID or an email address')
      .optional()
      .meta({ description: 'The id or the email address of the user who acted.' }),
    action: oneOf(AUDITED_ACTIONS)
      .optional()
      .meta({ description: 'Only this action, such as `user.suspend`.', example: 'user.suspend' }),
    entityType: oneOf(AUDITED_ENTITIES)
      .optional()
      .meta({ description: 'Only what was done to this kind of thing, such as `order`.', example: 'user' }),
    entityId: text({ min: 1, max: 255 }).overwrite(withSmallIds).optional().meta({
      description: 'With `entityType=order` also finds decisions about the processes of the order.',
    }),
    dateFrom: isoDate().optional(),
    dateTo: periodEnd().optional(),
  }),
  success: 200,
  paginated: true,
  data: z.object({ records: z.array(AuditRecord).describe('One page of records, newest first.') }),
  errors: {},

  async handle({ query: { page, pageSize, actor, dateFrom, dateTo, ...same } }, { db, reply }) {
    const filter = {
      ...same,
      actorIds: actor === undefined ? undefined : await actorIds(db, actor),
      from: dateFrom === undefined ? undefined : new Date(dateFrom),
      to: dateTo === undefined ? undefined : new Date(dateTo),
    };
    const found = await auditRecords(db, filter, windowOf({ page, pageSize }));
    reply.page({ total: found.total, page, pageSize });
    return { records: found.records.map(recordView) };
  },
});

async function actorIds(db: Db, actor: string): Promise<string[]> {
  if (!actor.includes('@')) return [actor];
  const found = await accountsOfEmail(db, REGIONS, actor);
  if (found.length > 0) return found;
  const words = 'No account uses this email address.';
  throw refusal('VALIDATION_ERROR', words, { actor: ['is the email address of no account'] });
}

function recordView({ actorId, actorEmail, previous, next, createdAt, ...record }: AuditRecordView) {
  return {
    ...record,
    actor: actorId === null ? null : { id: actorId, email: actorEmail },
    previous: inMajorUnits(z.json().parse(previous)),
    next: inMajorUnits(z.json().parse(next)),
    createdAt: createdAt.toISOString(),
  };
}
