import { rollupWork } from '../../../../activities/administration/analytics/roll-up-facts';
import { execute } from '../../../../db/sql/query';
import { takeTurn } from '../../../activities/administration/job/take-turn';
import { outcomeOf, startAdminWorld, type AdminWorld } from '../admin-world';

/** The pages with the figures of their summary and of each point of their timeline. */
export const FIGURES = {
  overview: ['netRevenue', 'invested', 'partnersJoined', 'paidOut', 'kycApproved'],
  sales: ['orders', 'revenue', 'refunds', 'netRevenue', 'averageOrder'],
  investments: ['invested', 'active', 'returns', 'withdrawn'],
  partners: ['joined', 'active', 'commissions', 'reversed'],
  payouts: ['requested', 'paid', 'failed', 'open'],
  kyc: ['submitted', 'approved', 'rejected', 'averageHours'],
} as const;

export type Page = keyof typeof FIGURES;

export const PAGES = Object.keys(FIGURES) as Page[];

interface Figures {
  summary: Record<string, unknown>;
  timeline: Record<string, unknown>[];
  breakdown: Record<string, unknown>;
}

/** An administrator, and rollups as if nothing had ever happened before each test. */
export function analyticsWorld() {
  let staff: AdminWorld;
  beforeAll(async () => {
    staff = await startAdminWorld({ variables: { RATE_LIMIT_SCALE: '100' } });
  });
  afterAll(() => staff.world.teardown());
  beforeEach(async () => {
    await execute(staff.world.db, 'DELETE FROM analytics_changes');
    await execute(staff.world.db, 'DELETE FROM analytics_rollups');
  });

  const rollUp = () => takeTurn(staff.world.db, rollupWork());
  async function figuresOf(page: Page, query = ''): Promise<Figures> {
    const answer = await staff.ask('get', `/admin/analytics/${page}${query}`);
    expect(outcomeOf(answer)).toBe('200');
    return answer.body.data as Figures;
  }
  /** Asks before the job has run and after it; both answers must be the same. */
  const beforeAndAfter = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    const before = await ask();
    await rollUp();
    expect(await ask()).toEqual(before);
    return before;
  };
  return {
    staff: () => staff,
    rollUp,
    figuresOf,
    beforeAndAfter,
  };
}
