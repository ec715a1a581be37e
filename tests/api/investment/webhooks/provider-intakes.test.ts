import { execute, type Db } from '../../../../db/sql/query';
import { keysOf } from '../../../../db/sealing/keys-of';
import { providerIntakes } from '../../../../api/investment/webhooks/provider-intakes';
import { make } from '../../../support/builders/make';
import { ownDatabase } from '../../../support/servers/database';

const held = ownDatabase();

/** Intakes whose statements are counted. */
function counted(db: Db) {
  const statements: string[] = [];
  const watch: Db['watch'] = (statement, run) => {
    statements.push(statement);
    return run();
  };
  return { statements, intakeOf: providerIntakes({ ...db, watch }, keysOf(db)) };
}

const unsigned = { rawBody: Buffer.from('{}'), header: () => undefined };

test('reports that anybody can send make the API read at most ten times a second, for all unknown codes and for each provider', async () => {
  const { db } = held;
  const { code } = await make.provider(db);
  const { statements, intakeOf } = counted(db);
  const begun = performance.now();
  for (let sent = 0; sent < 200; sent++) {
    expect(await intakeOf(`nobody-${sent}`)).toBeNull();
    expect(await (await intakeOf(code))!.isSigned(unsigned, new Date())).toBe(false);
  }
  const seconds = Math.floor((performance.now() - begun) / 1_000) + 2;
  expect(statements.length).toBeLessThanOrEqual(seconds * 21);
});

test('callers at once share one reading', async () => {
  const { db } = held;
  const { code } = await make.provider(db);
  const { statements, intakeOf } = counted(db);
  await Promise.all(Array.from({ length: 50 }, () => intakeOf(code)));
  expect(statements).toHaveLength(1);
});

test('a reading that failed is tried again by the next caller', async () => {
  const { db } = held;
  const { code } = await make.provider(db);
  let fails = true;
  const watch: Db['watch'] = (_statement, run) =>
    fails ? Promise.reject(new Error('The database is away.')) : run();
  const intakeOf = providerIntakes({ ...db, watch }, keysOf(db));
  await expect(intakeOf(code)).rejects.toThrow('away');
  fails = false;
  expect(await intakeOf(code)).not.toBeNull();
});

test('a provider that is switched off is unknown two seconds later at the latest, and one that is new at once', async () => {
  const { db } = held;
  const { code } = await make.provider(db);
  const { intakeOf } = counted(db);
  const now = jest.spyOn(performance, 'now');
  const moment = performance.now();
  expect(await intakeOf(code)).not.toBeNull();
  await execute(db, 'UPDATE investment_providers SET is_active = false WHERE code = $1', [code]);
  now.mockReturnValue(moment + 5_000);
  expect(await intakeOf(code)).toBeNull();
  expect(await intakeOf((await make.provider(db)).code)).not.toBeNull();
  now.mockRestore();
});
