import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { adminFileGate, ownFileGate } from '../../../../api/mlm/commissions/commission-file';
import { sumsGate } from '../../../../api/mlm/commissions/sums-gate';
import type { FileGate } from '../../../../api/http/limits/file-gate';
import { make } from '../../../support/builders/make';
import { signIn } from '../../../support/builders/sign-in';
import { ownWorld } from '../../../support/worlds/world';
import { outcomeOf } from '../../admin/admin-world';
import { partnerPerson } from '../partner-person';

const world = ownWorld({ worker: false });

const month = new Date().toISOString().slice(0, 7);
const OWN_FILES = ['/commissions/export', `/statements/${month}/export`];
const SUMS = [`/statements/${month}`, '/commissions/history', '/commissions/summary'];

type Enter = (signal?: AbortSignal) => Promise<() => void>;

/** Runs work while every slot and every place in the queue of a gate is taken. */
async function whileFull<T>(
  enter: Enter,
  [slots, queue]: [number, number],
  work: () => Promise<T>,
): Promise<T> {
  const leaves = await Promise.all(Array.from({ length: slots }, () => enter()));
  const gone = new AbortController();
  const queued = Array.from({ length: queue }, () => enter(gone.signal).catch(() => null));
  try {
    return await work();
  } finally {
    gone.abort();
    expect(await Promise.all(queued)).toEqual(queued.map(() => null));
    for (const leave of leaves) leave();
  }
}

/** Each file is of another user, since one has a single turn. */
const byOthers =
  (gate: FileGate): Enter =>
  (signal) =>
    gate.enter(randomUUID(), signal);

async function callers() {
  const { get } = await partnerPerson(world);
  const token = await signIn(world, await make.admin(world.db));
  const adminFile = (): Promise<Response> =>
    Promise.resolve(world.http.get('/api/v1/admin/commissions/export').auth(token, { type: 'bearer' }));
  return { get, adminFile };
}

test('more files of partners at once than there are slots: 503 and when to ask again; all else is answered', async () => {
  const { get, adminFile } = await callers();
  await whileFull(byOthers(ownFileGate), [2, 8], async () => {
    for (const path of OWN_FILES) {
      const answer = await get(path);
      expect([path, outcomeOf(answer), answer.headers['retry-after']]).toEqual([
        path,
        '503 SERVICE_UNAVAILABLE',
        expect.stringMatching(/^\d+$/),
      ]);
    }
    for (const path of SUMS) expect([path, (await get(path)).status]).toEqual([path, 200]);
    expect((await adminFile()).status).toBe(200);
  });
  for (const path of OWN_FILES) expect([path, (await get(path)).status]).toEqual([path, 200]);
});

test('files of administrators do not take the slots of partners', async () => {
  const { get, adminFile } = await callers();
  await whileFull(byOthers(adminFileGate), [2, 8], async () => {
    expect(outcomeOf(await adminFile())).toBe('503 SERVICE_UNAVAILABLE');
    expect((await get('/commissions/export')).status).toBe(200);
  });
});

test('more statements at once than there are slots: 503, and lists are answered', async () => {
  const { get } = await callers();
  await whileFull(
    (signal) => sumsGate.enter(signal),
    [4, 50],
    async () => {
      for (const path of SUMS)
        expect([path, outcomeOf(await get(path))]).toEqual([path, '503 SERVICE_UNAVAILABLE']);
      expect((await get('/commissions')).status).toBe(200);
    },
  );
});
