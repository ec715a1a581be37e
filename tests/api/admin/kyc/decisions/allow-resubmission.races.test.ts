import { execute, firstRow } from '../../../../../db/sql/query';
import { reviewing } from '../../../../activities/kyc/review/reviewing';
import { inOrder } from '../../../../support/builders/kyc/in-order';
import { begunVerification, verificationState } from '../../../../support/builders/kyc/verifying';
import { outcomeOf, startAdminWorld, type AdminWorld } from '../../admin-world';

let desk: AdminWorld;
beforeAll(async () => {
  desk = await startAdminWorld({ worker: false });
});
afterAll(() => desk.world.teardown());

const ROUNDS = Array.from({ length: 20 }, (_, round) => round);

/** A submitted verification of a user whose tries are used up. */
async function submitted() {
  const made = await begunVerification(desk.world.db);
  const review = reviewing(desk.world.db, made, desk.superAdmin.id);
  await review.submit();
  await execute(desk.world.db, 'UPDATE kyc_document_tries SET tries = 3 WHERE user_id = $1', [made.userId]);
  return { ...made, review };
}
const standing = async (kycId: string) => ({
  ...(await verificationState(desk.world.db, kycId)),
  ...(await firstRow<{ tries: number | null }>(
    desk.world.db,
    `SELECT max(t.tries) AS tries FROM kyc_document_tries t JOIN kyc_verifications v ON v.user_id = t.user_id
      WHERE v.id = $1`,
    [kycId],
  )),
});
const allowed = 'kyc.allow-resubmission';

test.each([
  {
    how: 'a rejection that is to be final',
    decide: { verb: 'reject', choice: { allowResubmission: false } },
    allowedFirst: { answer: '200', canResubmit: false, tries: 1 },
    decidedFirst: { answer: '200', canResubmit: true, tries: 0 },
  },
  {
    how: 'a suspicion of fraud',
    decide: { verb: 'reject', choice: { reason: 'SUSPECTED_FRAUD' } },
    allowedFirst: { answer: '200', canResubmit: false, tries: 1 },
    decidedFirst: { answer: '400 VALIDATION_ERROR', canResubmit: false, tries: 4 },
  },
  {
    how: 'an approval',
    decide: { verb: 'approve', choice: {} },
    allowedFirst: { answer: '200', canResubmit: true, tries: null },
    decidedFirst: { answer: '200', canResubmit: true, tries: null },
  },
] as const)(
  'allowing to submit again and $how at once, in both orders, 20 times: the later one sees the earlier one',
  async ({ decide: { verb, choice }, allowedFirst, decidedFirst }) => {
    for (const round of ROUNDS) {
      const { kycId, userId, review } = await submitted();
      let answer = '';
      const allows = async () => {
        answer = outcomeOf(await desk.ask('post', `/admin/kyc/${kycId}/allow-resubmission`));
      };
      const decides = () => review[verb](choice);
      const isDecidedFirst = round % 2 === 1;
      await inOrder(desk.world.db, userId, isDecidedFirst ? [decides, allows] : [allows, decides]);

      const { answer: expected, ...after } = isDecidedFirst ? decidedFirst : allowedFirst;
      expect(answer).toBe(expected);
      const state = await standing(kycId);
      expect(state).toMatchObject({ ...after, status: verb === 'approve' ? 'APPROVED' : 'REJECTED' });
      const isLifted = !isDecidedFirst || (verb === 'reject' && expected === '200');
      const records = isDecidedFirst ? [`kyc.${verb}`, allowed] : [allowed, `kyc.${verb}`];
      expect(state.audited).toEqual(records.filter((action) => action !== allowed || isLifted));
    }
  },
);
