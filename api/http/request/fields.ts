import { getAlpha2Codes } from 'i18n-iso-countries';
import { z } from 'zod';
import { GRANULARITIES } from '../../../workflows/administration/analytics/period.rules';
import { asBankReference, codeKey, VISIBLE } from '../../../workflows/typed-text.rules';

/** Highest amount of money in major units; sums of such amounts stay exact in a double. */
const MOST_MONEY = 1_000_000_000;

/** The years of dates that people enter, unless a field says otherwise. */
const FIRST_YEAR = 2000;
const LAST_YEAR = 2999;

/** Says "at most two decimals" in the OpenAPI document. */
const IN_CENTS = { multipleOf: 0.01 };

/** A whole number in a query: digits only, so that '' and '1e3' are refused. */
export const digits = ({ min = 0, max }: { min?: number; max: number }) =>
  z
    .string()
    .regex(/^\d{1,12}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`));

/** Text that a person wrote, trimmed; its length is checked after that. Where text is required, some of it is visible. */
export const text = ({ min = 0, max }: { min?: number; max: number }) => {
  const trimmed = z.string().trim().min(min).max(max);
  return min === 0
    ? trimmed
    : trimmed
        .refine((typed) => typed === '' || VISIBLE.test(typed), 'must have visible characters')
        .meta({ pattern: '\\S' });
};

/**
 * A code that a person types or pastes, such as a coupon's, in the form in which codes are compared (`codeKey`). Its length
 * is checked after that.
 */
export const typedCode = ({ max }: { max: number }) =>
  z.string().overwrite(codeKey).min(1).max(max).meta({ pattern: '\\S' });

/**
 * A bank's reference of a transfer, normalised so that references that look alike are equal: NFKC, every dash `-`, any
 * white space one space, no invisible characters. Its length is checked after that.
 */
export const bankReference = ({ max }: { max: number }) =>
  z.string().overwrite(asBankReference).min(1).max(max).meta({ pattern: '\\S' });

/** An amount in major units with at most two decimals, as JSON has it. */
export const money = ({ min = 0, max = MOST_MONEY }: { min?: number; max?: number } = {}) =>
  z.number().min(min).max(max).refine(hasCents, 'must have at most 2 decimals').meta(IN_CENTS);

/** An amount without bounds, where those outside them have codes of their own. */
export const unboundedMoney = () =>
  z.number().refine(hasCents, 'must have at most 2 decimals').meta(IN_CENTS);

/** An amount in a query, as text. */
export const moneyText = () =>
  z
    .string()
    .regex(/^\d{1,10}(\.\d{1,2})?$/, 'must be an amount with at most 2 decimals')
    .transform(Number)
    .pipe(z.number().max(MOST_MONEY))
    .meta(IN_CENTS);

/** A percentage with at most two decimals, as JSON has it: 12.5 means 12.5 %. */
export const percentage = ({ min = 0, max = 100 }: { min?: number; max?: number } = {}) =>
  z.number().min(min).max(max).refine(hasCents, 'must have at most 2 decimals').meta(IN_CENTS);

/** A percentage in a query, as text; it may be below zero. */
export const percentText = () =>
  z
    .string()
    .regex(/^-?\d{1,5}(\.\d{1,2})?$/, 'must be a percentage with at most 2 decimals')
    .transform(Number)
    .pipe(z.number().min(-100).max(10_000))
    .meta(IN_CENTS);

export const uuid = () => z.uuid('must be a UUID').toLowerCase();

/** Refuses an instant outside these years: of those inside, PostgreSQL reads every one as JavaScript does, in any time zone. */
const withinYears = (firstYear: number, lastYear: number) =>
  [
    (instant: string): boolean => {
      const year = new Date(instant).getUTCFullYear();
      return year >= firstYear && year <= lastYear;
    },
    { message: `must be between the years ${firstYear} and ${lastYear}`, abort: true },
  ] as const;

/**
 * An instant: a full ISO 8601 timestamp, or a date, which means its first moment in UTC. In the years that are allowed, so
 * that what is computed of it, in any time zone, has a year of four digits, as PostgreSQL reads it.
 */
export const isoDate = ({ firstYear = FIRST_YEAR, lastYear = LAST_YEAR } = {}) =>
  z
    .union(
      [z.iso.datetime({ offset: true }), z.iso.date()],
      'must be a date or timestamp like 2026-01-31 or 2026-01-31T12:00:00Z',
    )
    .refine(...withinYears(firstYear, lastYear));

/** A day without a time, YYYY-MM-DD, of the years that `isoDate` allows. */
export const calendarDay = () =>
  z.iso.date('must be a date like 2026-01-31').refine(...withinYears(FIRST_YEAR, LAST_YEAR));

/** A moment that ends something, in the years of `isoDate`: an instant, or a date, which includes all of that day in UTC. */
export const periodEnd = (years: Parameters<typeof isoDate>[0] = {}) =>
  isoDate(years).overwrite((end) => (DATE_WITHOUT_TIME.test(end) ? `${end}T23:59:59.999Z` : end));

const DATE_WITHOUT_TIME = /^\d{4}-\d{2}-\d{2}$/;

/** A boolean in a query: `true`, `1`, `false` or `0`. */
export const flag = () => z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] });

/** A boolean in a form, as its document says it: `true` or `false`. */
export const formFlag = () => z.stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive' });

/** One schema for all uses, so that the OpenAPI document lists the codes once. */
const Country = z
  .enum(Object.keys(getAlpha2Codes()), 'must be a country code like DE')
  .meta({ id: 'Country', description: 'An ISO 3166-1 alpha-2 code in capitals.', example: 'DE' });

/** An ISO 3166-1 alpha-2 code in capitals. */
export const country = () => Country;

export const GranularityField = z.enum(GRANULARITIES).meta({
  id: 'Granularity',
  description: 'The length of a period, such as a point of a timeline; a week is an ISO week.',
  example: 'day',
});

function hasCents(amount: number): boolean {
  return Math.round(amount * 100) / 100 === amount;
}
