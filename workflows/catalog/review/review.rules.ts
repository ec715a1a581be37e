import type { OrderStatus } from '../../commerce/order/order.states';

/** PENDING waits for an administrator; only PUBLISHED is shown and its rating counted. */
export const REVIEW_STATUSES = ['PENDING', 'PUBLISHED', 'REJECTED'] as const;

export type ReviewStatus = (typeof REVIEW_STATUSES)[number];

/** Statuses of an order whose products count as bought. A cancelled or refunded order does not count. */
export const BOUGHT: readonly OrderStatus[] = ['PAID', 'PROCESSING', 'SHIPPED', 'DELIVERED'];

/** The reason why a text waits for an administrator. */
export type Concern = 'link' | 'e-mail address' | 'phone number' | 'blocked word';

/**
 * Chosen: top-level domains that are everyday words (`.it`, `.is`, `.top`) count only with a path behind them, as people
 * forget the space after a full stop.
 */
const TOP_LEVEL_DOMAINS =
  'com|net|org|info|biz|io|co|dev|shop|store|online|site|xyz|eu|de|fr|uk|ru|cn|es|nl|pl|ch|jp|br|ly|tv|gg|cc|ws';

const LINKS: readonly RegExp[] = [
  /\p{L}:\/\//u,
  /(?<![\p{L}\p{N}])www\s?\./u,
  new RegExp(`[\\p{L}\\p{N}]\\.(?:${TOP_LEVEL_DOMAINS})(?![\\p{L}\\p{N}])`, 'u'),
  new RegExp(`[\\p{L}\\p{N}]\\s?[[({]\\s?(?:dot|\\.)\\s?[\\])}]\\s?\\p{L}`, 'u'),
  new RegExp(`[\\p{L}\\p{N}]\\sdot\\s(?:${TOP_LEVEL_DOMAINS})(?![\\p{L}\\p{N}])`, 'u'),
  /[\p{L}\p{N}]\.\p{L}{2,24}\/[\p{L}\p{N}]/u,
];

const ADDRESSES: readonly RegExp[] = [
  /[^\s@]@[^\s@.]+\.[^\s@]/u,
  /[\p{L}\p{N}]\s?[[({]\s?(?:at|@)\s?[\])}]\s?[\p{L}\p{N}]/u,
];

/** Chosen: seven digits behind a plus, or nine anywhere: a date, a price or a part number has fewer in a row. */
const PHONES: readonly RegExp[] = [
  /\+[\s./()\p{Pd}]{0,3}\p{Nd}(?:[\s./()\p{Pd}]{0,3}\p{Nd}){6}/u,
  /\p{Nd}(?:[\s./()\p{Pd}]{0,3}\p{Nd}){8}/u,
];

/** The first reason why a text cannot be published unread; null if it can. */
export function concernOf(text: string, blockedWords: readonly string[]): Concern | null {
  const plain = normalized(text);
  const has = (patterns: readonly RegExp[]): boolean => patterns.some((pattern) => pattern.test(plain));
  if (has(ADDRESSES)) return 'e-mail address';
  if (has(LINKS)) return 'link';
  if (has(PHONES)) return 'phone number';
  const words = inWords(plain);
  return blockedWords.some((word) => words.includes(inWords(normalized(word)))) ? 'blocked word' : null;
}

/** The first status of a review: published at once, or waiting until an administrator has read it. */
export function statusOfNew(
  texts: readonly string[],
  blockedWords: readonly string[],
): Extract<ReviewStatus, 'PENDING' | 'PUBLISHED'> {
  return texts.some((text) => concernOf(text, blockedWords) !== null) ? 'PENDING' : 'PUBLISHED';
}

/** Lower case, with letters as they look: no full-width forms, nothing invisible between them. */
const normalized = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase();

/** The words without accents, with a space around each, so that whole words can be found. */
const inWords = (plain: string): string =>
  ` ${plain
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .join(' ')} `;
