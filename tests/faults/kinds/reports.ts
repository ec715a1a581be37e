import { setTimeout as pause } from 'node:timers/promises';
import { v7 } from 'uuid';
import { rows } from '../../../db/sql/query';
import type { Fault, Occasion } from '../fault';
import { bodyOf, report, sandboxReports, type SandboxReport } from '../asking/webhook';

const paying = { pays: 40, paysTwice: 20, paysLate: 20, cancelsWhilePaying: 15, walksAway: 0 };
const AT_ONCE = 16;

/** Sends many reports, a few at a time; throws when one was not taken. */
async function sendAll({ stack }: Occasion, reports: readonly SandboxReport[]): Promise<void> {
  const left = [...reports];
  const send = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) {
      const { status } = await report(stack.frontPort, next.id, next.body);
      if (status !== 200 && status !== 202) throw new Error(`report ${next.id} was answered ${status}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, send));
}

const duplicated: Fault = {
  name: 'reports come several times, at the same time',
  stories: paying,
  async inject(occasion) {
    const { stack, random, load } = occasion;
    const since = new Date();
    const ended = load.then(() => true);
    for (;;) {
      const over = await Promise.race([ended, pause(400, false)]);
      const reports = await sandboxReports(stack.db, since);
      await sendAll(
        occasion,
        reports.flatMap((one) => Array<SandboxReport>(random.int(1, 3)).fill(one)),
      );
      if (over) return;
    }
  },
};

/** The sandbox's own reports are held; what it would have said comes newest first, and then all of it again. */
const reversed: Fault = {
  name: 'reports come in the opposite order',
  stories: { ...paying, paysLate: 40, declinedThenPays: 40 },
  async inject(occasion) {
    const { stack, load } = occasion;
    const since = new Date();
    stack.links.webhooks.hold('up');
    await load;
    await pause(2_200); // Until what is paid late has been paid.
    await sendAll(occasion, await sandboxReports(stack.db, since));
    stack.links.webhooks.heal();
  },
};

const late: Fault = {
  name: 'reports come after everything else',
  stories: { ...paying, paysThenCancels: 30 },
  async inject({ stack, load, random }) {
    stack.links.webhooks.cut();
    await load;
    await pause(random.int(0, 4_000));
  },
};

/** Ten thousand different reports in one go, all of payments that were reported already. */
const burst = (count: number, heavy: boolean): Fault => ({
  name: `${count.toLocaleString('en')} reports in a burst`,
  stories: paying,
  ...(heavy && { heavy: true as const }),
  async inject(occasion) {
    await occasion.load;
    const known = await rows<Parameters<typeof bodyOf>[0]>(
      occasion.stack.db,
      `SELECT p.status, p.created_at AS at, p.payment_key AS key, p.id AS payment_id,
          p.amount_minor, p.currency
         FROM sandbox_payments p JOIN sandbox_events e ON e.payment_id = p.id
        WHERE e.delivered_at IS NOT NULL ORDER BY p.id DESC LIMIT 200`,
    );
    if (known.length === 0) throw new Error('nothing was paid');
    const bodies = known.map(bodyOf);
    await sendAll(
      occasion,
      Array.from({ length: count }, (_, i) => ({ id: v7(), body: bodies[i % bodies.length]! })),
    );
  },
});

/** What a payment company's reports do that is allowed to them. */
export const reports: readonly Fault[] = [duplicated, reversed, late, burst(500, false), burst(10_000, true)];
