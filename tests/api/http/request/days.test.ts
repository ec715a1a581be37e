import { calendarDay } from '../../../../api/http/request/fields';

const takes = (value: string): boolean => calendarDay().safeParse(value).success;

test('a calendar day is of a year that PostgreSQL and JavaScript read alike', () => {
  for (const right of ['2026-11-21', '2028-02-29', '2000-01-01', '2999-12-31'])
    expect([right, takes(right)]).toEqual([right, true]);
  const ends = ['0000-01-01', '0001-01-05', '1999-12-31', '3000-01-01', '9999-12-31'];
  for (const wrong of ['2026-02-29', '2026-11-21T10:00:00Z', '2026-11', '', ...ends])
    expect([wrong, takes(wrong)]).toEqual([wrong, false]);
});
