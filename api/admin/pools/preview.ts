import { z } from 'zod';
import { refusal } from '../../../workflows/errors';
import { poolPeriodNamed } from '../../../workflows/partners/pool/pool-period.rules';
import { endpoint } from '../../http/endpoint';
import { Gate } from '../../http/limits/gate';
import { perMinute } from '../../http/limits/limits';
import { text } from '../../http/request/fields';
import { MOST_PREVIEWED, previewPool } from './preview.command';
import { poolFigures, poolFiguresView, PoolKindField, PoolShareView, poolShareView } from './pool.view';

/** A preview reads all sales of a period. */
const gate = new Gate({ slots: 1, queueLength: 8, deadlineMs: 10_000 });

export const previewPoolEndpoint = endpoint({
  method: 'post',
  path: '/admin/pools/preview',
  summary: 'Compute a leadership pool without paying it',
  description:
    'By the same statements as a run, with the ranks of now; writes nothing. Of a period that has closed or is running, also of one that was paid.',
  tag: 'Administration: partners',
  auth: 'admin',
  limit: perMinute(10),

  body: z.object({
    kind: PoolKindField,
    period: text({ max: 10 }).meta({
      description: 'The week, such as 2026-W47, or the month, such as 2026-11.',
      example: '2025-W46',
    }),
  }),
  success: 200,
  data: z.object({
    ...poolFigures,
    shares: z
      .array(PoolShareView)
      .meta({ description: `The largest shares, at most ${MOST_PREVIEWED}; nothing of them is paid.` }),
  }),
  errors: {},

  async handle({ body: { kind, period: name } }, { db, request }) {
    const period = poolPeriodNamed(kind, name);
    const words = 'The period cannot be computed.';
    if (!period)
      throw refusal('VALIDATION_ERROR', words, {
        period: [kind === 'WEEKLY' ? 'must be a week, such as 2026-W47' : 'must be a month, such as 2026-11'],
      });
    if (period.startsAt > new Date())
      throw refusal('VALIDATION_ERROR', words, { period: ['must not lie in the future'] });
    const { figures, shares } = await gate.through(() => previewPool(db, period), request.clientGone);
    return {
      ...poolFiguresView(figures),
      shares: shares.map((share) => poolShareView(share, figures.currency)),
    };
  },
});
