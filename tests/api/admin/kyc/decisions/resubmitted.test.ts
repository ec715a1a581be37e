import { firstRow } from '../../../../../db/sql/query';
import { make } from '../../../../support/builders/make';
import { signIn } from '../../../../support/builders/sign-in';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../../admin-world';
import { submit, submittedCase } from '../cases';

let desk: AdminWorld;
let second: string;
beforeAll(async () => {
  desk = await startAdminWorld({ queues: ['interactive'] });
  second = await signIn(desk.world, await make.admin(desk.world.db));
});
afterAll(() => desk.world.teardown());

const BODIES = {
  approve: { level: 'STANDARD' },
  reject: { reason: 'DOCUMENT_BLURRY' },
  'request-info': { message: 'Please send the whole page.' },
} as const;
type Verb = keyof typeof BODIES;
const VERBS = Object.keys(BODIES) as Verb[];

const decide = (id: string, verb: Verb, body: object = {}, token = desk.tokens.admin) =>
  desk.ask('post', `/admin/kyc/${id}/${verb}`, { ...BODIES[verb], ...body }, token);
const open = async (id: string) => (await desk.ask('get', `/admin/kyc/${id}`)).body.data;

/** A verification that the first reviewer has opened, and that was submitted again since. */
async function openedThenResubmitted() {
  const one = await submittedCase(desk.world);
  const { submittedAt } = await open(one.id);
  expect(outcomeOf(await decide(one.id, 'request-info', {}, second))).toBe('200');
  await submit(desk.world, one);
  return { ...one, submittedAt };
}

describe.each(VERBS)('%s of what was submitted again since the reviewer opened it', (verb) => {
  test('NOT_REVIEWABLE, until they open it again', async () => {
    const { id } = await openedThenResubmitted();
    const refused = await decide(id, verb);
    expect([outcomeOf(refused), refused.body.error.message]).toEqual([
      '400 NOT_REVIEWABLE',
      'This verification was submitted again since you opened it.',
    ]);
    expect((await open(id)).status).toBe('SUBMITTED');
    expect(outcomeOf(await decide(id, verb))).toBe('200');
  });

  test('NOT_REVIEWABLE for one that names the earlier submission, however late it was opened', async () => {
    const { id, submittedAt: earlier } = await openedThenResubmitted();
    const { submittedAt } = await open(id);
    expect(outcomeOf(await decide(id, verb, { submittedAt: earlier }))).toBe('400 NOT_REVIEWABLE');
    expect(outcomeOf(await decide(id, verb, { submittedAt }))).toBe('200');
  });

  test('a reviewer who has asked for more themselves, or has claimed it since, decides without', async () => {
    const asked = await submittedCase(desk.world);
    await open(asked.id);
    expect(outcomeOf(await decide(asked.id, 'request-info'))).toBe('200');
    await submit(desk.world, asked);
    expect(outcomeOf(await decide(asked.id, verb))).toBe('200');

    const claimed = await openedThenResubmitted();
    expect(outcomeOf(await desk.ask('post', `/admin/kyc/${claimed.id}/claim`, {}))).toBe('200');
    expect(outcomeOf(await decide(claimed.id, verb))).toBe('200');
  });

  test('a reviewer who has opened nothing decides without', async () => {
    const { id } = await submittedCase(desk.world);
    expect(outcomeOf(await decide(id, verb))).toBe('200');
  });
});

test('an approval, a request for more and the next submission at once, 20 times: what was not seen is never approved', async () => {
  for (let round = 0; round < 20; round++) {
    const one = await submittedCase(desk.world);
    const { submittedAt } = await open(one.id);
    const racing = [
      () => decide(one.id, 'approve'),
      async () => {
        const asked = await decide(one.id, 'request-info', {}, second);
        if (outcomeOf(asked) === '200') await submit(desk.world, one);
        return asked;
      },
    ];
    if (round % 2 === 1) racing.reverse();
    const answers = await Promise.all(racing.map((work) => work()));
    expect(answers.map(outcomeOf).sort()).toEqual(['200', '400 NOT_REVIEWABLE']);
    const row = await firstRow<{ status: string; submittedAt: Date }>(
      desk.world.db,
      'SELECT status, submitted_at FROM kyc_verifications WHERE id = $1',
      [one.id],
    );
    if (row!.status === 'APPROVED') expect(row!.submittedAt.toISOString()).toBe(submittedAt);
    else expect(row!.status).toBe('SUBMITTED');
  }
});
