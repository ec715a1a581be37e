import { anywhere, contains } from '../../../../db/sql/text/search';
import { firstRow } from '../../../../db/sql/query';
import { ownDatabase } from '../../../support/servers/database';

const own = ownDatabase();

async function isFound(text: string, words: string): Promise<boolean> {
  const found = await firstRow<{ found: boolean }>(own.db, `SELECT ${contains('$1::text', '$2')} AS found`, [
    text,
    anywhere(words),
  ]);
  return found!.found;
}

test.each([
  ['Café crème', 'cafe creme'],
  ['Cafe creme', 'CAFÉ CRÈME'],
  ['Cafe\u0301', 'café'],
  ['Łódź', 'lodz'],
  ['Smørrebrød', 'smorrebrod'],
  ['Straße', 'STRASSE'],
  ['STRAẞE', 'straße'],
  ['Cœur', 'coeur'],
  ['Þór Ægir', 'thor aegir'],
  ['İstanbul ışık', 'istanbul isik'],
  ['Nguyễn Thị', 'nguyen thi'],
  ['Ελλάδος', 'ΕΛΛΑΔΟΣ'],
  ['Алёна Майор', 'алена майор'],
  ['שָׁלוֹם', 'שלום'],
  ['مُحَمَّد', 'محمد'],
  ['한국어', '한국'],
  ['がっこう', 'がっこう'],
  ['हिन्दी', 'हिन्दी'],
])('%s is found by %s', async (text, words) => {
  expect(await isFound(text, words)).toBe(true);
});

test.each([
  ['한국어', '하'],
  ['がっこう', 'かっこう'],
  ['हिन्दी', 'हन्द'],
  ['cafe', 'cafes'],
  ['cafe', 'c_fe'],
  ['cafe', 'c%e'],
])('%s is not found by %s', async (text, words) => {
  expect(await isFound(text, words)).toBe(false);
});

test('wildcards and backslashes are searched as they are', async () => {
  expect(await isFound('100 % café_\\', '% cafe_\\')).toBe(true);
});
