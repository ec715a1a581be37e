import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { payee, type Payee } from '../../../support/builders/paying-out/payees';
import { signIn } from '../../../support/builders/sign-in';
import type { PayoutKind } from '../../../../workflows/commerce/payout/payout.rules';
import { outcomeOf, type AdminWorld } from '../admin-world';

/** The endpoints of one kind of payouts, asked as an administrator unless said otherwise. */
export function deskOf(staff: () => AdminWorld, kind: PayoutKind) {
  const base = kind === 'PARTNER' ? '/admin/payouts' : '/admin/wallet-withdrawals';
  const post = (path: string, body: object = {}, token?: string): Promise<Response> =>
    staff().ask('post', `${base}${path}`, body, token);
  return {
    base,
    get: (path = '', token?: string): Promise<Response> =>
      staff().ask('get', `${base}${path}`, undefined, token),
    post,
    approve: (id: string, body: object = {}, token?: string) => post(`/${id}/approve`, body, token),
    reject: (id: string, body: object = { reason: 'Not yours.' }, token?: string) =>
      post(`/${id}/reject`, body, token),
    process: (id: string, body: object = {}, token?: string) => post(`/${id}/process`, body, token),
    complete: (id: string, body: object = { externalReference: randomUUID() }, token?: string) =>
      post(`/${id}/complete`, body, token),
    cancel: (id: string, body: object = { reason: 'At your request.' }, token?: string) =>
      post(`/${id}/cancel`, body, token),
    /** A payout of 40.00 that somebody has requested. */
    async requested(
      options: Parameters<typeof payee>[1] = {},
    ): Promise<{ one: Payee; id: string; token: string }> {
      const one = await payee(staff().world.db, { kind, ...options });
      const token = await signIn(staff().world, one.user);
      const path = kind === 'PARTNER' ? '/mlm/payouts/request' : '/users/me/balance/withdraw';
      const answer = await staff().ask('post', path, { amount: 40 }, token);
      expect(outcomeOf(answer)).toBe('201');
      const { id, withdrawalId } = answer.body.data as { id?: string; withdrawalId?: string };
      return { one, id: id ?? withdrawalId ?? '', token };
    },
  };
}
