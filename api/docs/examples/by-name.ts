import type { oas31 } from 'zod-openapi';
import { demo, UNKNOWN_ID } from '../../http/request/ids/demo-ids';

const OF_FORMAT: Readonly<Record<string, string>> = {
  email: 'buyer@example.com',
  'date-time': '2026-01-31T12:00:00.000Z',
  date: '2026-01-31',
  uri: 'https://shop.example.com/page',
};

/** Ids of the demo data by the end of a field's name. */
const IDS: readonly (readonly [name: RegExp, id: string])[] = [
  [/productIds?$/i, demo.product],
  [/(category|parent)Ids?$/i, demo.category],
  [/shippingMethodId$/i, demo.shippingMethod],
  [/strategyId$/i, demo.strategy],
  [/addressId$/i, demo.address],
  [/userId$/i, demo.buyer],
];

/** Texts of a field that its name alone does not tell, by `holder.field`. */
const HELD_TEXTS: readonly (readonly [place: RegExp, text: string])[] = [
  [/(product|item|cheapest)\w*\.name$|productName/i, 'Enamel kettle'],
  [/variant\w*\.name$/i, '1 litre'],
  [/method\w*\.name$/i, 'Standard'],
  [/coupon\w*\.name$/i, 'Welcome'],
  [/rank\w*\.name$|rankName/i, 'Leader'],
  [/rank\w*\.code$|rankCode/i, 'LEADER'],
  [/link\w*\.name$/i, 'Newsletter'],
  [/(investment|strategy)categor\w*\.name$/i, 'Bonds'],
  [/categor(y|ies|yTree)\w*\.name$/i, 'Kitchen'],
  [/strateg(y|ies)\w*\.name$|strategyName/i, 'Harbour Bonds'],
];

/** Texts that are usual for fields by the end of their name; the first that matches applies. */
const TEXTS: readonly (readonly [name: RegExp, text: string])[] = [
  [/password/i, 'Umbrella-7-tango'],
  [/carrier/i, 'DHL'],
  [/currency/i, 'USD'],
  [/country/i, 'DE'],
  [/couponCodes?$/i, 'WELCOME10'],
  [/^code$/i, 'WELCOME10'],
  [/sku/i, 'KETTLE-1L'],
  [/slug/i, 'enamel-kettle'],
  [/orderNumber/i, 'ORD-2026-00000339'],
  [/transactionId|reference/i, 'BANK-2026-1187'],
  [/url|link/i, 'https://shop.example.com/page'],
  [/first/i, 'Ada'],
  [/^last(Name)?$|surname/i, 'Lovelace'],
  [/recipient|holder|^name$/i, 'Ada Lovelace'],
  [/phone/i, '+4930901820'],
  [/email/i, 'buyer@example.com'],
  [/postal/i, '10117'],
  [/city|region/i, 'Berlin'],
  [/street|address/i, 'Unter den Linden 1'],
  [/notes?$/i, 'Please ring twice.'],
  [/reason/i, 'It does not fit.'],
  [/short|title/i, 'Boils a litre in four minutes'],
  [/^message$/i, 'Done.'],
  [/error$/i, 'The provider did not answer in time.'],
  [/descri/i, 'Made of steel with two layers of enamel.'],
  [/content/i, 'The handle came loose after a week.'],
  [/search/i, 'kettle'],
];

/** Numbers likewise; those of a price add up. */
const NUMBERS: readonly (readonly [name: RegExp, value: number])[] = [
  [/compareAt/i, 51.9],
  [/subtotal/i, 38.9],
  [/^shipping$|shippingCost|basePrice/i, 4.9],
  [/discount/i, 3.89],
  [/^tax$/i, 1.92],
  [/(percent|rate)\w*$/i, 10],
  [/price|amount|total|balance|value|threshold/i, 41.83],
  [/rating/i, 5],
  [/stock/i, 40],
  [/refunded/i, 0],
  [/quantity|count/i, 2],
];

/** A text that is usual for a field of this name; the name in words where nothing is known of it. */
export function textNamed(place: string, { format, minLength = 0, maxLength }: oas31.SchemaObject): string {
  const name = fieldOf(place);
  if (format === 'uuid') return of(IDS, name) ?? UNKNOWN_ID;
  const known = OF_FORMAT[format ?? ''] ?? of(HELD_TEXTS, place) ?? of(TEXTS, name) ?? inWords(name);
  return known.padEnd(minLength, '.').slice(0, maxLength);
}

/** `product.name` is the field `name`. */
const fieldOf = (place: string): string => place.replace(/^.*\./, '');

const of = <Value>(known: readonly (readonly [RegExp, Value])[], name: string): Value | undefined =>
  known.find(([pattern]) => pattern.test(name))?.[1];

/** `shortText` is `Short text`. */
function inWords(name: string): string {
  const words = name.replace(/([A-Z])/g, ' $1').toLowerCase();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** A number that is usual for a field of this name, within the bounds of its schema. */
export function numberNamed(place: string, { type, minimum = 1, maximum }: oas31.SchemaObject): number {
  const known = of(NUMBERS, fieldOf(place)) ?? Math.max(1, minimum);
  const within = Math.min(Math.max(known, minimum), maximum ?? Infinity);
  return type === 'integer' ? Math.round(within) : within;
}
