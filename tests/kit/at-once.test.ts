import { atOnce } from '../support/requests/at-once';

test('a request is sent again with its key while the answer is 503 with Retry-After, and only then', async () => {
  const sent: [number, string][] = [];
  const answers = await atOnce(3, async (n, key) => {
    sent.push([n, key]);
    const isFirst = sent.filter(([of]) => of === n).length === 1;
    if (n === 0 && isFirst) return { status: 503, headers: { 'retry-after': '0.01' } };
    if (n === 1) return { status: 503, headers: {} };
    return { status: 201, headers: {} };
  });
  expect(answers.map(({ status }) => status)).toEqual([201, 503, 201]);
  expect(sent.map(([n]) => n).sort()).toEqual([0, 0, 1, 2]);
  expect(new Set(sent.map(([, key]) => key)).size).toBe(3);
});
