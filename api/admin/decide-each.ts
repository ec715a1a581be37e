import { z } from 'zod';
import { refusalIn } from '../../workflows/errors';
import type { Context } from '../http/handler-context';
import { OutcomeUnknown, TemporalUnavailable } from '../http/temporal/temporal';

/** Most decisions of one request. */
export const MOST_DECISIONS = 100;
/** Decisions that are made at the same time. */
const AT_ONCE = 10;
/**
 * No decision is begun later than this. One may take 8 s, and after 30 s another request may take over the key of this one, which
 * would then be decided twice at once.
 */
const BEGUN_WITHIN_MS = 15_000;

/** The list of ids in the body of a request, each once. */
export const severalOf = <Id extends z.ZodType<string>>(id: Id) =>
  z
    .array(id)
    .min(1)
    .max(MOST_DECISIONS)
    .refine((ids) => new Set(ids).size === ids.length, 'must not name one twice');

/** The shape of the answer for one id. */
export const decidedShape = (id: z.ZodType<string>, unsuccessful: string) =>
  z.object({
    id,
    ok: z.boolean().describe('True if it is approved.'),
    error: z
      .object({
        code: z.string().meta({ description: 'Tells errors apart; it never changes.', example: 'NOT_FOUND' }),
        message: z.string(),
      })
      .optional()
      .meta({ description: unsuccessful }),
  });

type Decided = z.output<ReturnType<typeof decidedShape>>;

/**
 * Makes a decision on each of `ids` by itself, a few at a time, and returns of each whether it was made.
 * SERVICE_UNAVAILABLE: not known, or not begun for lack of time. Errors that are no refusals are thrown.
 */
export async function decideEach(
  { log }: Pick<Context<'admin'>, 'log'>,
  ids: readonly string[],
  decide: (id: string) => Promise<unknown>,
): Promise<Decided[]> {
  const begun = performance.now();
  const results: Decided[] = [];
  for (let first = 0; first < ids.length; first += AT_ONCE) {
    const next = ids.slice(first, first + AT_ONCE);
    const isLate = performance.now() - begun > BEGUN_WITHIN_MS;
    const one = (id: string) => (isLate ? Promise.resolve(lacksTime(id)) : decideOne({ log }, id, decide));
    results.push(...(await Promise.all(next.map(one))));
  }
  return results;
}

const lacksTime = (id: string): Decided => ({
  ...{ id, ok: false },
  error: {
    code: 'SERVICE_UNAVAILABLE',
    message: 'This one was not decided, for lack of time. Please try again.',
  },
});

async function decideOne(
  { log }: Pick<Context<'admin'>, 'log'>,
  id: string,
  decide: (id: string) => Promise<unknown>,
): Promise<Decided> {
  try {
    await decide(id);
    return { id, ok: true };
  } catch (error) {
    const refused = refusalIn(error);
    if (refused) return { id, ok: false, error: { code: refused.code, message: refused.message } };
    if (!(error instanceof TemporalUnavailable || error instanceof OutcomeUnknown)) throw error;
    log.warn({ err: error, entityId: id }, 'the outcome of a decision is not known');
    return {
      ...{ id, ok: false },
      error: { code: 'SERVICE_UNAVAILABLE', message: 'It is not known whether this one was decided.' },
    };
  }
}
