import { v7 } from 'uuid';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { investmentProvider } from '../../../support/builders/investing/investment-provider';
import { make } from '../../../support/builders/make';
import { eventually } from '../../../support/checks/eventually';
import { ownCheckedWorld } from '../../../support/worlds/world';

const world = ownCheckedWorld();

test.each(['the loss', 'the payout'])(
  'a loss and a payout of one moment, received in the same, are both woken and applied once; %s came first',
  async (first) => {
    const provider = await investmentProvider(world);
    const { strategyCode } = await make.strategy(world.db, { providerCode: provider.code });
    const user = await make.user(world.db, { kycLevel: 'STANDARD' });
    await make.signedIn(world.db, provider.code, user.id);
    const externalId = v7();
    const moment = '2026-06-30T00:00:00.000Z';
    const sent: string[] = [];
    const send = async (type: string, amount: number) => {
      const id = v7();
      sent.push(id);
      const data = { investmentExternalId: externalId, externalId: v7(), amount, status: 'WITHDRAWN' };
      await provider.send(type, data, { id, timestamp: moment }).expect(202);
      await provider.becomes(id, 'WAITING');
    };
    if (first === 'the loss') await send('profit.distributed', -100);
    await send('investment.withdrawn', 900);
    if (first === 'the payout') await send('profit.distributed', -100);
    await execute(world.db, 'UPDATE webhook_events SET received_at = $2 WHERE external_event_id = ANY ($1)', [
      sent,
      moment,
    ]);

    // Its maturity has passed: its process would pay it out as soon as it is started.
    const created = { externalId, userId: user.id, strategyCode, amount: 1_000, currency: 'USD' };
    const dates = { startDate: '2026-06-01', maturityDate: '2026-07-01' };
    const id = v7();
    await provider.send('investment.created', { ...created, ...dates }, { id }).expect(202);
    for (const each of [id, ...sent]) await provider.becomes(each, 'PROCESSED');
    // A process may look again by itself in this very moment and end before the signal arrives: sent it is in any case.
    const processOf = async (report: string) =>
      `webhook:${provider.code}:${(await provider.stored(report))!.id}`;
    const begun = world.temporal.workflow.getHandle(await processOf(id));
    await begun.result();
    const { events = [] } = await begun.fetchHistory();
    const woken = events!.map(
      ({ signalExternalWorkflowExecutionInitiatedEventAttributes: signal }) =>
        signal?.workflowExecution?.workflowId,
    );
    for (const each of sent) {
      const workflowId = await processOf(each);
      expect(woken).toContain(workflowId);
      const process = world.temporal.workflow.getHandle(workflowId);
      await eventually(async () => expect((await process.describe()).status.name).toBe('COMPLETED'));
    }
    const participation = await firstRow<{ id: string; status: string }>(
      world.db,
      'SELECT id, status FROM participations WHERE external_id = $1',
      [externalId],
    );
    expect(participation!.status).toBe('WITHDRAWN');
    expect(await world.temporal.workflow.getHandle(`participation:${participation!.id}`).result()).toBe(
      'WITHDRAWN',
    );
    expect(
      await rows(
        world.db,
        `SELECT amount_minor FROM ledger_entries WHERE user_id = $1 AND account = 'wallet'`,
        [user.id],
      ),
    ).toEqual([{ amountMinor: 900_00 }]);
  },
);
