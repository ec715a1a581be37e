import { z } from 'zod';
import { linkDays, linkOf } from '../../../db/partners/link/partner-link.reads';
import { refusal } from '../../../workflows/errors';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { isoDate } from '../../http/request/fields';
import { ownPartner } from '../own-partner';
import { DAY_MS } from '../../../workflows/kit/values/durations.rules';
import { LinkFigures } from './link.view';
import { idOf } from '../../http/request/ids/id-of';

const MOST_DAYS = 366;
const USUAL_DAYS = 30;

const LinkStats = z
  .object({
    linkId: z.uuid().describe('The link that was asked for.'),
    days: z
      .array(LinkFigures.extend({ date: z.iso.date().describe('The day in UTC.') }))
      .describe('A day each, also those without anything.'),
    totals: LinkFigures.meta({ description: 'Of these days.' }),
  })
  .meta({ id: 'ReferralLinkStats' });

export const showReferralLinkStats = endpoint({
  id: 'getReferralLinkStats',
  returns: 'What the link brought by day',
  method: 'get',
  path: '/mlm/referrals/links/:id/stats',
  summary: 'Show what a link brought',
  description: `By day (UTC), both ends inclusive, the last ${USUAL_DAYS} days by default and ${MOST_DAYS} at most. A conversion is on the day on which the account first paid for an order.`,
  tag: 'Partner programme',
  auth: 'user',
  limit: perMinute(100),

  params: z.object({ id: idOf('link') }),
  query: z
    .object({ dateFrom: isoDate().optional(), dateTo: isoDate().optional() })
    .superRefine((query, context) => {
      const { from, to } = periodOf(query);
      const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
      if (days < 1)
        context.addIssue({ code: 'custom', path: ['dateTo'], message: 'must not be before dateFrom' });
      if (days > MOST_DAYS)
        context.addIssue({ code: 'custom', path: ['dateFrom'], message: `must be within ${MOST_DAYS} days` });
    }),
  success: 200,
  data: LinkStats,
  errors: { NOT_A_PARTNER: 403, LINK_NOT_FOUND: 404 },

  async handle({ params: { id }, query }, { caller, db }) {
    const partner = await ownPartner({ db, caller });
    if (!(await linkOf(db, partner.id, id))) throw refusal('LINK_NOT_FOUND');
    const { from, to } = periodOf(query);
    const days = await linkDays(db, id, from, to);
    const totalOf = (figure: keyof z.output<typeof LinkFigures>): number =>
      days.reduce((sum, day) => sum + day[figure], 0);
    return {
      linkId: id,
      days,
      totals: {
        clicks: totalOf('clicks'),
        registrations: totalOf('registrations'),
        conversions: totalOf('conversions'),
      },
    };
  },
});

/** The first and the last day (UTC). */
function periodOf({ dateFrom, dateTo }: { dateFrom?: string | undefined; dateTo?: string | undefined }) {
  const to = dateTo === undefined ? new Date() : new Date(dateTo);
  const from =
    dateFrom === undefined ? new Date(to.getTime() - (USUAL_DAYS - 1) * DAY_MS) : new Date(dateFrom);
  const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
  return { from: dayOf(from), to: dayOf(to) };
}
