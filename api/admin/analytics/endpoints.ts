import { stringify } from 'csv-stringify/sync';
import { z } from 'zod';
import type { Db } from '../../../db/sql/query';
import { TextChunks } from '../../http/answer/files/text-stream';
import { endpoint, type Endpoint } from '../../http/endpoint';
import { Gate } from '../../http/limits/gate';
import { perMinute } from '../../http/limits/limits';
import { adminFileGate, gatedFile } from '../../mlm/commissions/commission-file';
import { actorOf } from '../actor';
import { analyticsQuery, type Range } from './reading/analytics-query';
import { recordAnalyticsExport } from './export.command';
import { dateField, rangeFields, type AnalyticsPage } from './reading/page';
import { readPage, requireRange } from './reading/read-page';

/** A range of a year by days reads thousands of rows. */
const gate = new Gate({ slots: 4, queueLength: 50, deadlineMs: 5_000 });

const WORDS =
  'Every fact counts at its own time and for good: a refund counts on the day of the refund, not on that of its sale. What is committed is counted at once.';

const nameOf = (page: AnalyticsPage): string => page.name.charAt(0).toUpperCase() + page.name.slice(1);

export const showPage = (page: AnalyticsPage): Endpoint =>
  endpoint({
    ...page.show,
    summary: page.summary,
    description: `The figures of a range as a whole, by days, weeks or months, and divided. ${WORDS}`,
    tag: 'Administration: analytics',
    auth: 'admin',
    limit: perMinute(200),

    query: analyticsQuery,
    success: 200,
    data: z
      .object({
        summary: z.object({ ...rangeFields, ...page.point.shape }).describe('The sums of the whole period.'),
        timeline: z.array(z.object({ ...dateField, ...page.point.shape })).meta({
          description: 'Every point of the range, oldest first. The first and the last may be cut.',
        }),
        breakdown: page.breakdown.meta({ description: 'The figures of the whole range, divided.' }),
      })
      .meta({ id: `${nameOf(page)}Analytics` }),
    errors: {},

    handle: ({ query }, { db, request }) =>
      gate.through(() => readPage(db, page, requireRange(query)), request.clientGone),
  });

export const exportPage = (page: AnalyticsPage): Endpoint => {
  const columns = columnsOf(page);
  return endpoint({
    ...page.export,
    summary: `${page.summary}, as a file`,
    description: `CSV in UTF-8 with a byte order mark: the timeline, a row per point, oldest first. The columns are ${columns.map((column) => `\`${column}\``).join(', ')}. ${WORDS}`,
    tag: 'Administration: analytics',
    auth: 'admin',
    limit: perMinute(5),

    query: analyticsQuery,
    success: 200,
    produces: 'text/csv',
    data: TextChunks,
    errors: {},

    handle({ query }, context) {
      const { db, reply } = context;
      const range = requireRange(query);
      reply.download(`analytics-${page.name}-${range.from}-${range.to}.csv`);
      const begin = async () => {
        await recordAnalyticsExport(db, actorOf(context), page.name, range);
        return pageFile(db, page, range);
      };
      return Promise.resolve(gatedFile(adminFileGate, context, begin));
    },
  });
};

const columnsOf = (page: AnalyticsPage): string[] => ['date', 'currency', ...Object.keys(page.point.shape)];

/** The timeline as CSV: days, a code and numbers, so that no cell could be a formula. */
async function* pageFile(db: Db, page: AnalyticsPage, range: Range): AsyncGenerator<string> {
  const columns = columnsOf(page);
  const { timeline } = await readPage(db, page, range);
  const lines = timeline.map((point): Record<string, string | number> => ({
    currency: range.currency,
    ...point,
  }));
  yield stringify([columns, ...lines.map((line) => columns.map((column) => line[column]))], {
    record_delimiter: 'windows',
  });
}
