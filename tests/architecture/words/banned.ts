import type { Text } from './texts';

type Kind = Text['kind'];

interface BannedWord {
  word: string;
  /** Is matched against words in lower case between single spaces. */
  pattern: RegExp;
  kinds: readonly Kind[];
  instead: string;
}

const EVERYWHERE: readonly Kind[] = ['identifier', 'comment', 'doc comment', 'test name', 'document'];
const PROSE: readonly Kind[] = ['comment', 'doc comment', 'test name', 'document'];
const NAMES: readonly Kind[] = ['identifier'];

const banned = (word: string, forms: string, kinds: readonly Kind[], instead: string): BannedWord => ({
  word,
  pattern: new RegExp(` (${forms}) `),
  kinds,
  instead,
});

/** `…/style.md` §3: no metaphors and no private vocabulary. Each entry names the words to use in its place. */
export const bannedWords: readonly BannedWord[] = [
  banned('wish', 'wish|wishes|wished', EVERYWHERE, 'request, command, changes, options'),
  banned('story', 'story|stories', EVERYWHERE, 'state, course, scenario'),
  banned('news', 'news', EVERYWHERE, 'report, change, revision'),
  banned('heard', 'heard|unheard', EVERYWHERE, 'received, onMessage'),
  banned('stirred', 'stir|stirs|stirred', EVERYWHERE, 'changed'),
  banned('whoever', 'whoever|whomever', EVERYWHERE, 'the caller, the reader, anyone who'),
  banned('heed', 'heed|heeds|heeded', EVERYWHERE, 'observe, apply'),
  banned('dispelled', 'dispel|dispels|dispelled', EVERYWHERE, 'refreshed'),
  banned('bury', 'bury|buries|buried', EVERYWHERE, 'mark dead'),
  banned('poisonous', 'poison|poisoned|poisonous', EVERYWHERE, 'unprocessable'),
  banned('doubt', 'doubt|doubts|doubted|doubtful', EVERYWHERE, 'stale, uncertain, unknown'),
  banned('attention', '(?<! needs )attention', EVERYWHERE, 'parking, a person has to decide'),
  banned('pour', 'pour|pours|poured', EVERYWHERE, 'stream, send'),
  banned('as good as', 'as good as( none)?', PROSE, 'hardly any, counts as'),
  banned('at this moment', 'at this moment', PROSE, 'now'),
  banned('beside', 'beside', PROSE, 'besides, in addition to, next to'),
  banned('otherwise', 'otherwise', NAMES, 'ifClosed, fallback'),
  banned('alone', 'alone', NAMES, 'serially, exclusively'),
  banned('books', 'books', NAMES, 'ledger, database, local'),
  banned('visit', 'visit|visits|visited|visitor|visitors', NAMES, 'request'),
  banned('pieces', 'piece|pieces', NAMES, 'units, items, chunks'),
  banned(
    'relative opening',
    '(?<=^ )(what|whatever|who|whoever|whom|whose|whether|so|that|where|how) .*',
    ['doc comment'],
    'begin with a verb or a noun phrase',
  ),
];

/** Uses that stay, each with its reason. `text` narrows one to names or comments that fit. */
export const allowed: readonly { word: string; path: RegExp; text?: RegExp; why: string }[] = [
  {
    word: 'visit',
    path: /referral|partner|touch/,
    why: 'Referrals count visits of web pages.',
  },
  {
    word: 'pieces',
    path: /^db\/schema\/seed\/products\//,
    why: 'An attribute of goods, as buyers see it.',
  },
];
