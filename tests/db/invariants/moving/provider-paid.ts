import type { Reference } from '../../../../workflows/ledger/reference.rules';
import { make } from '../../../support/builders/make';
import { signIn } from '../../../support/builders/sign-in';
import type { World } from '../../../support/worlds/world';

/** A payment of an investment provider, its transfer, that of a write-off, and the account of the provider. */
export interface ProviderPaid {
  id: string;
  reference: Reference;
  writeOff: Reference;
  account: string;
}

/**
 * A provider that pays a part of what it owes, is sent back a part of that, is forgiven another, and then pays all of that
 * and 30 USD ahead.
 */
export async function providerPaid(world: World): Promise<ProviderPaid> {
  const { code } = await make.provider(world.db);
  const { id: strategyId } = await make.strategy(world.db, { providerCode: code });
  await make.participation(world.db, { strategyId, status: 'MATURED', amountMinor: 1_000_00 });
  const token = await signIn(world, await make.superAdmin(world.db));
  const send = async (path: string, body: object): Promise<string> => {
    const answer = await world.http
      .post(`/api/v1/admin/providers/${code}/${path}`)
      .auth(token, { type: 'bearer' })
      .send(body);
    expect(answer.status).toBe(201);
    return answer.body.data.id as string;
  };
  const id = await send('payments', { bankReference: 'BANK-IN-1', amount: 700 });
  await send('payments', { bankReference: 'BANK-BACK-1', amount: 50, direction: 'SENT' });
  const writeOffId = await send('write-offs', { amount: 100, reason: 'It was wound up.' });
  await send('payments', { bankReference: 'BANK-IN-2', amount: 380, ahead: true });
  return {
    id,
    reference: { kind: 'provider-payment', subjectId: code, part: 'BANK-IN-1' },
    writeOff: { kind: 'provider-write-off', subjectId: writeOffId },
    account: `clearing_provider_${code}`,
  };
}
