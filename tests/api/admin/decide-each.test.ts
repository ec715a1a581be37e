import pino from 'pino';
import { decideEach } from '../../../api/admin/decide-each';
import { TemporalUnavailable } from '../../../api/http/temporal/temporal';
import { refusal } from '../../../workflows/errors';

const log = pino({ level: 'silent' });
const ids = Array.from({ length: 100 }, (_, n) => `id-${n}`);

afterEach(() => jest.restoreAllMocks());

test('each id is decided once by itself, and each answer is of its id', async () => {
  const tried: string[] = [];
  const results = await decideEach({ log }, ids, (id) => {
    tried.push(id);
    if (id === 'id-3') throw refusal('NOT_FOUND', 'No such payout.');
    if (id === 'id-4') throw new TemporalUnavailable('away');
    return Promise.resolve();
  });
  expect(tried).toEqual(ids);
  expect(results.map(({ id }) => id)).toEqual(ids);
  expect(results.filter(({ ok }) => !ok)).toEqual([
    { id: 'id-3', ok: false, error: { code: 'NOT_FOUND', message: 'No such payout.' } },
    {
      ...{ id: 'id-4', ok: false },
      error: { code: 'SERVICE_UNAVAILABLE', message: 'It is not known whether this one was decided.' },
    },
  ]);
});

test('an error that is no refusal is not hidden in an answer', async () => {
  const broken = decideEach({ log }, ids, () => Promise.reject(new Error('broken')));
  await expect(broken).rejects.toThrow('broken');
});

test('no decision is begun when another request could soon take over the key of this one', async () => {
  let clock = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => clock);
  const tried: string[] = [];
  const results = await decideEach({ log }, ids, (id) => {
    tried.push(id);
    // The last of each ten: 8 s have passed, the most that one may take.
    if (tried.length % 10 === 0) clock += 8_000;
    return Promise.resolve();
  });
  expect(tried).toEqual(ids.slice(0, 20));
  expect(results.slice(0, 20).every(({ ok }) => ok)).toBe(true);
  expect(results.slice(20)).toEqual(
    ids.slice(20).map((id) => ({
      ...{ id, ok: false },
      error: {
        code: 'SERVICE_UNAVAILABLE',
        message: 'This one was not decided, for lack of time. Please try again.',
      },
    })),
  );
});
