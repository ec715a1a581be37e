import { z } from 'zod';
import {
  adminParticipations,
  type AdminParticipationRow,
} from '../../../db/investment/participation-administration/participation-list.reads';
import { toMajor } from '../../../workflows/commerce/money.rules';
import { participationStates } from '../../../workflows/investment/participation/participation.states';
import { paging, windowOf } from '../../http/answer/paging';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { text, uuid } from '../../http/request/fields';
import {
  ParticipationOriginField,
  ParticipationStatusField,
} from '../../investment/participations/participation.view';
import { Person } from '../person.view';
import { identifying } from '../../http/request/ids/identified';
import { PaymentStatusField } from '../../orders/order.view';

const moment = z.iso.datetime();

const AdminParticipation = z
  .object({
    id: z.uuid(),
    number: z.string().meta({
      description: 'The number of the participation, as people and bank transfers name it.',
      example: 'INV-2026-00000012',
    }),
    user: Person.describe('The user whose participation it is.'),
    strategy: z.object({ id: z.uuid(), name: z.string() }).describe('The strategy that it is of.'),
    providerCode: z.string().describe('The code of the provider.'),
    origin: ParticipationOriginField,
    status: ParticipationStatusField,
    paymentStatus: PaymentStatusField,
    amount: z.number().describe('The principal that was put in.'),
    earned: z.number().describe('Distributed profits less losses.'),
    currency: z.string(),
    startDate: moment.nullable().describe('When it began to run; null before.'),
    maturityDate: moment.nullable().describe('When it matures; null before it runs.'),
    endedAt: moment.nullable().describe('When it matured, was withdrawn or was cancelled; null before.'),
    createdAt: moment,
  })
  .meta({ id: 'AdminParticipation' });

export const listAllParticipations = endpoint({
  id: 'listAllParticipations',
  returns: 'One page of participations',
  method: 'get',
  path: '/admin/participations',
  summary: 'List the participations of all users',
  description: 'Newest first.',
  tag: 'Administration: investment',
  auth: 'admin',
  limit: perMinute(200),

  query: z.object({
    ...paging(50),
    status: z.enum([...participationStates.names, 'ALL']).default('ALL'),
    strategyId: identifying(uuid(), 'strategy').optional().describe('Only participations of this strategy.'),
    userId: identifying(uuid(), 'user').optional().describe('Only what belongs to this user.'),
    search: text({ max: 100 })
      .regex(/^(\d*|\S.+\S)$/s, 'must be at least 3 characters long')
      .optional()
      .meta({
        description:
          "Part of the number (its digits are enough), or of the owner's name, email address or phone number; or the id. At least 3 characters, or digits only.",
        example: 'INV-2026-00000012',
      }),
  }),
  success: 200,
  paginated: true,
  data: z.object({ participations: z.array(AdminParticipation).describe('Participations, newest first.') }),
  errors: {},

  async handle({ query: { page, pageSize, status, ...filter } }, { db, reply }) {
    const found = await adminParticipations(
      db,
      { ...filter, status: status === 'ALL' ? undefined : status },
      windowOf({ page, pageSize }),
    );
    reply.page({ total: found.total, page, pageSize });
    return { participations: found.participations.map(participationRowView) };
  },
});

const participationRowView = (row: AdminParticipationRow): z.input<typeof AdminParticipation> => ({
  id: row.id,
  number: row.number,
  user: { id: row.userId, email: row.email, name: row.name },
  strategy: { id: row.strategyId, name: row.strategyName },
  providerCode: row.providerCode,
  origin: row.origin,
  status: row.status,
  paymentStatus: row.paymentStatus,
  amount: toMajor(row.amountMinor, row.currency),
  earned: toMajor(row.earnedMinor, row.currency),
  currency: row.currency,
  startDate: row.startedAt?.toISOString() ?? null,
  maturityDate: row.maturesAt?.toISOString() ?? null,
  endedAt: row.endedAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
});
