import { setTimeout as pause } from 'node:timers/promises';
import { v7 } from 'uuid';
import { rows } from '../../../db/sql/query';
import type { Fault, FaultContext } from '../fault';
import { bodyOf, report, sandboxReports, type SandboxReport } from '../requests/webhook';

const paying = { pays: 40, paysTwice: 20, paysLate: 20, cancelsWhilePaying: 15, walksAway: 0 };
const AT_ONCE = 16;

/** Sends many reports, a few at a time; throws if one is not accepted. */
async function sendAll({ stack }: FaultContext, reports: readonly SandboxReport[]): Promise<void> {
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
  journeys: paying,
  async inject(context) {
    const { stack, random, load } = context;
    const since = new Date();
    const ended = load.then(() => true);
    for (;;) {
      const over = await Promise.race([ended, pause(400, false)]);
      const reports = await sandboxReports(stack.db, since);
      await sendAll(
        context,
        reports.flatMap((one) => Array<SandboxReport>(random.int(1, 3)).fill(one)),
      );
      if (over) return;
    }
  },
};

/** The sandbox's own reports are held back; they arrive newest first, and then all of them again. */
const reversed: Fault = {
  name: 'reports come in the opposite order',
  journeys: { ...paying, paysLate: 40, declinedThenPays: 40 },
  async inject(context) {
    const { stack, load } = context;
    const since = new Date();
    stack.links.webhooks.hold('up');
    await load;
    await pause(2_200); // Until late payments are made.
    await sendAll(context, await sandboxReports(stack.db, since));
    stack.links.webhooks.heal();
  },
};

const late: Fault = {
  name: 'reports come after everything else',
  journeys: { ...paying, paysThenCancels: 30 },
  async inject({ stack, load, random }) {
    stack.links.webhooks.cut();
    await load;
    await pause(random.int(0, 4_000));
  },
};

/** Ten thousand different reports at once, all of payments that were reported already. */
const burst = (count: number, heavy: boolean): Fault => ({
  name: `${count.toLocaleString('en')} reports in a burst`,
  journeys: paying,
  ...(heavy && { heavy: true as const }),
  async inject(context) {
    await context.load;
    const known = await rows<Parameters<typeof bodyOf>[0]>(
      context.stack.db,
      `SELECT p.status, p.created_at AS at, p.payment_key AS key, p.id AS payment_id,
          p.amount_minor, p.currency
         FROM sandbox_payments p JOIN sandbox_events e ON e.payment_id = p.id
        WHERE e.delivered_at IS NOT NULL ORDER BY p.id DESC LIMIT 200`,
    );
    if (known.length === 0) throw new Error('nothing was paid');
    const bodies = known.map(bodyOf);
    await sendAll(
      context,
      Array.from({ length: count }, (_, i) => ({ id: v7(), body: bodies[i % bodies.length]! })),
    );
  },
});

/** Reports in every order and number that a payment provider may send. */
export const reports: readonly Fault[] = [duplicated, reversed, late, burst(500, false), burst(10_000, true)];
