import { z } from 'zod';
import { toMajor } from '../../../workflows/commerce/money.rules';
import { refusal } from '../../../workflows/errors';
import { poolPeriodNamed } from '../../../workflows/partners/pool/pool-period.rules';
import { endpoint } from '../../http/endpoint';
import { Gate } from '../../http/limits/gate';
import { perMinute } from '../../http/limits/limits';
import { text } from '../../http/request/fields';
import { MOST_PREVIEWED, previewPool } from './preview.command';
import {
  LateSalesField,
  PoolKindField,
  PoolShareView,
  poolShareView,
  PreviewedPoolRunView,
  previewedPoolRunView,
} from './pool.view';

/** A preview reads all sales of a period. */
const gate = new Gate({ slots: 1, queueLength: 8, deadlineMs: 10_000 });

export const previewPoolEndpoint = endpoint({
  id: 'previewPool',
  returns: 'What a run would compute now',
  method: 'post',
  path: '/admin/pools/preview',
  summary: 'Compute a leadership pool without paying it',
  description:
    'Shows what GET /admin/pools/:id shows, by the same statements as a run, with the ranks of now; writes nothing. Of a period that has closed or is running. Of one that has a run, of the sales that this saw.',
  tag: 'Administration: partners',
  auth: 'admin',
  limit: perMinute(10),

  body: z.object({
    kind: PoolKindField.describe('The pool of a week or of a month.'),
    period: text({ max: 10 }).meta({
      description: 'The week, such as 2026-W47, or the month, such as 2026-11.',
      example: '2025-W46',
    }),
  }),
  success: 200,
  data: z.object({
    run: PreviewedPoolRunView.describe('The pool of the period as a run would count it.'),
    shares: z
      .array(PoolShareView)
      .meta({ description: `The largest shares, at most ${MOST_PREVIEWED}; nothing of them is paid.` }),
    lateSales: LateSalesField,
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
    const { figures, shares, lateSalesMinor } = await gate.through(
      () => previewPool(db, period),
      request.clientGone,
    );
    return {
      run: previewedPoolRunView(figures),
      shares: shares.map((share) => poolShareView(share, figures.currency)),
      lateSales: toMajor(lateSalesMinor, figures.currency),
    };
  },
});
