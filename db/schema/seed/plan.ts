import { execute, type Db } from '../../sql/query';
import { inTransaction } from '../../sql/transaction';
import { demoCatalogue } from './catalogue';
import { demoCoupons } from './coupons';
import { refuseDemoAdministrators } from './demo-administrators';
import { administrator, demoPeople } from './people';
import { shipping } from './shipping';
import type { SeedStep, SeedOptions } from './step';
import { taxRates } from './taxes';

/** Any number, as long as nothing else takes an advisory lock of it. */
const SEED_LOCK = 7_310_213;

const NEEDED: readonly SeedStep[] = [taxRates, shipping, administrator];
const DEMO: readonly SeedStep[] = [demoCatalogue, demoCoupons, demoPeople];

/** Where the seed stands: the step that begins now, and how many are behind and in all. */
export interface SeedProgress {
  title: string;
  done: number;
  all: number;
}

/**
 * Puts in place what the platform needs to work, and the demo if that is wished. What is there already is left as it
 * is, so it may run at every start and by several at once: all of it happens or nothing. Answers what it added. In
 * production it rejects with DemoAdministratorError where a demo password opens an administrator.
 */
export async function seed(
  db: Db,
  wishes: SeedOptions,
  report: (progress: SeedProgress) => void = () => undefined,
): Promise<string[]> {
  const steps = wishes.demo ? [...NEEDED, ...DEMO] : NEEDED;
  return inTransaction(db, async (tx) => {
    await execute(tx, `SELECT pg_advisory_xact_lock(${SEED_LOCK})`);
    if (wishes.production) await refuseDemoAdministrators(tx);
    const added: string[] = [];
    for (const [done, { title, isMissing, add }] of steps.entries()) {
      report({ title, done, all: steps.length });
      if (!(await isMissing(tx, wishes))) continue;
      await add(tx, wishes);
      added.push(title);
    }
    report({ title: 'done', done: steps.length, all: steps.length });
    return added;
  });
}
