import { getAlpha2Codes } from 'i18n-iso-countries';
import { z } from 'zod';

/** What an amount of money may at most be, in major units; sums of it stay exact. */
const MOST_MONEY = 1_000_000_000;

/** How the document says "at most two decimals". */
const IN_CENTS = { multipleOf: 0.01 };

/** A whole number in a query: digits only, so that neither '' nor '1e3' counts as one. */
export const digits = ({ min = 0, max }: { min?: number; max: number }) =>
  z
    .string()
    .regex(/^\d{1,12}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`));

/** Text of a person's making, without space around it. Length counts after that. */
export const text = ({ min = 0, max }: { min?: 0 | 1; max: number }) =>
  z
    .string()
    .trim()
    .min(min)
    .max(max)
    .meta(min === 0 ? {} : { pattern: '\\S' });

/**
 * What a bank calls a transfer, as a person typed or copied it, in the one form in which references are compared: what
 * looks alike is alike (NFKC, all dashes `-`, all blanks one space), and what nobody sees is left out. Length counts
 * after that.
 */
export const bankReference = ({ max }: { max: number }) =>
  z.string().overwrite(asBankReference).min(1).max(max).meta({ pattern: '\\S' });

/** Control and format characters that are no blanks, and all else that is not shown. */
const INVISIBLE = /(?![\t-\r\u0085])[\p{C}\p{Default_Ignorable_Code_Point}]/gu;
const DASHES = /[\p{Pd}\u2212]/gu;
/** NEL and the blank of Braille are none to `\s`. */
const BLANKS = /[\s\u0085\u2800]+/gu;

const asBankReference = (typed: string): string =>
  typed.replace(INVISIBLE, '').normalize('NFKC').replace(DASHES, '-').replace(BLANKS, ' ').trim();

/** An amount in major units with at most two decimals, as JSON has it. */
export const money = ({ min = 0, max = MOST_MONEY }: { min?: number; max?: number } = {}) =>
  z.number().min(min).max(max).refine(hasCents, 'must have at most 2 decimals').meta(IN_CENTS);

/** The same in a query, where it comes as text. */
export const moneyText = () =>
  z
    .string()
    .regex(/^\d{1,10}(\.\d{1,2})?$/, 'must be an amount with at most 2 decimals')
    .transform(Number)
    .pipe(z.number().max(MOST_MONEY))
    .meta(IN_CENTS);

export const uuid = () => z.uuid('must be a UUID').toLowerCase();

/** An instant: a full ISO 8601 timestamp, or a date, which stands for its first moment in UTC. */
export const isoDate = () =>
  z.union([z.iso.datetime({ offset: true }), z.iso.date()], 'must be an ISO 8601 date or timestamp');

/** true and false as queries write them. */
export const flag = () => z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] });

/** One schema for all its places, so that the document lists the codes once. */
const Country = z
  .enum(Object.keys(getAlpha2Codes()), 'must be an ISO 3166-1 alpha-2 code')
  .meta({ id: 'Country', description: 'An ISO 3166-1 alpha-2 code in capitals.', example: 'DE' });

/** An ISO 3166-1 alpha-2 code in capitals. */
export const country = () => Country;

function hasCents(amount: number): boolean {
  return Math.round(amount * 100) / 100 === amount;
}
