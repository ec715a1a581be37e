import type { Reference } from '../../../../workflows/ledger/reference.rules';
import { make } from '../../../support/builders/make';
import { signIn } from '../../../support/builders/sign-in';
import type { World } from '../../../support/worlds/world';

/** A payment of an investment provider, its transfer, and the account of the provider. */
export interface ProviderPaid {
  id: string;
  reference: Reference;
  account: string;
}

/** A provider that pays a part of what it owes, and is sent back a part of that. */
export async function providerPaid(world: World): Promise<ProviderPaid> {
  const { code } = await make.provider(world.db);
  const { id: strategyId } = await make.strategy(world.db, { providerCode: code });
  await make.participation(world.db, { strategyId, status: 'MATURED', amountMinor: 1_000_00 });
  const token = await signIn(world, await make.admin(world.db));
  const enter = async (bankReference: string, body: object): Promise<string> => {
    const answer = await world.http
      .post(`/api/v1/admin/providers/${code}/payments`)
      .auth(token, { type: 'bearer' })
      .send({ bankReference, ...body });
    expect(answer.status).toBe(201);
    return answer.body.data.id as string;
  };
  const id = await enter('BANK-IN-1', { amount: 700 });
  await enter('BANK-BACK-1', { amount: 50, direction: 'SENT' });
  const reference: Reference = { kind: 'provider-payment', subjectId: code, part: 'BANK-IN-1' };
  return { id, reference, account: `clearing_provider_${code}` };
}
