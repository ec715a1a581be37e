import { v7 } from 'uuid';
import { requestWithdrawal } from '../../../../activities/investment/withdrawal/request-withdrawal';
import { storeNote } from '../../../../db/administration/idempotency/request-note.writes';
import { sealDestination } from '../../../../db/commerce/payout/destination';
import { policyFrom } from '../../../../db/policy/config';
import { sealPurposes } from '../../../../db/sealing/purposes';
import { firstRow, rows, type Db } from '../../../../db/sql/query';
import type { Response } from 'supertest';
import type { World } from '../../worlds/world';
import { make } from '../make';
import type { Participation, ParticipationOptions } from '../make/participation/options';
import type { User } from '../make/people';
import { testKeys } from '../../worlds/variables';
import { signIn } from '../sign-in';

export const IBAN = 'DE89370400440532013000';
/** A card, and those where the sandbox refuses a transfer and loses its first answer. */
export const CARD = '4242424242424242';
export const REFUSING_CARD = '4000000000100000';
export const SILENT_CARD = '4000000000069999';

type StrategyOptions = Parameters<typeof make.strategy>[1];

/** Somebody with a running participation of 1,000 USD, who may withdraw it. */
export interface Investor {
  user: User;
  token: string;
  participation: Participation;
  withdraw: (body: object, options?: { key?: string; token?: string }) => Promise<Response>;
}

interface InvestorOptions extends ParticipationOptions {
  /** By default without a lock period. */
  strategy?: StrategyOptions;
  user?: Parameters<typeof make.user>[1];
}

export async function investor(
  world: Pick<World, 'db' | 'http'>,
  { strategy = {}, user: person = {}, ...options }: InvestorOptions = {},
): Promise<Investor> {
  const { db, http } = world;
  const user = await make.user(db, { kycLevel: 'STANDARD', ...person });
  const { id: strategyId } = await make.strategy(db, { lockDays: 0, ...strategy });
  const participation = await make.participation(db, {
    ...{ status: 'ACTIVE', userId: user.id, strategyId },
    ...options,
  });
  const token = await signIn(world, user);
  return {
    user,
    token,
    participation,
    withdraw: async (body, { key, token: as = token } = {}) => {
      const request = http
        .post(`/api/v1/investment/participations/${participation.id}/withdraw`)
        .auth(as, { type: 'bearer' });
      if (key !== undefined) void request.set('Idempotency-Key', key);
      return request.send(body);
    },
  };
}

/** The wallet of a person, the status of their only participation, and their withdrawals. */
export async function moneyOf(db: Db, userId: string) {
  const found = await firstRow<{ walletMinor: number; participation: string; withdrawals: string[] }>(
    db,
    `SELECT coalesce((SELECT balance_minor FROM ledger_balances WHERE user_id = $1 AND account = 'wallet'), 0)
         AS wallet_minor,
       (SELECT status FROM participations WHERE user_id = $1) AS participation,
       ARRAY(SELECT status || ' ' || net_minor FROM investment_withdrawals WHERE user_id = $1) AS withdrawals`,
    [userId],
  );
  return found!;
}

/** The transfers that the sandbox knows for the withdrawals of a person. */
export const sandboxTransfersOf = (db: Db, userId: string): Promise<{ transfer: string }[]> =>
  rows(
    db,
    `SELECT s.status || ' ' || s.amount_minor AS transfer FROM sandbox_transfers s
       JOIN investment_withdrawals w ON s.key LIKE w.id || '%' WHERE w.user_id = $1`,
    [userId],
  );

/** Keeps a card as the destination of a withdrawal, as the API does; answers the note. */
export async function cardNote(
  db: Db,
  { withdrawalId, userId }: { withdrawalId: string; userId: string },
): Promise<string> {
  const id = v7();
  const destination = { method: 'CARD', accountHolder: 'Ada Lovelace', cardNumber: CARD } as const;
  const sealed = sealDestination(testKeys, sealPurposes.investmentWithdrawal(withdrawalId), destination);
  await storeNote(db, id, { actorId: userId, clientAddress: '', text: sealed.toString('base64') });
  return id;
}

/** A withdrawal, without a process, that a person has to send to a card; answers its id. */
export async function withdrawnByHand(db: Db): Promise<string> {
  const { id: userId } = await make.user(db, { kycLevel: 'STANDARD' });
  const { id: strategyId } = await make.strategy(db, { lockDays: 0 });
  return withdrawsByHand(db, await make.participation(db, { status: 'ACTIVE', userId, strategyId }));
}

/** The same of a running participation. */
export async function withdrawsByHand(
  db: Db,
  { id: participationId, userId }: Pick<Participation, 'id' | 'userId'>,
): Promise<string> {
  const withdrawalId = v7();
  const detailsNoteId = await cardNote(db, { withdrawalId, userId });
  await requestWithdrawal(
    { db, payouts: { providers: new Map(), current: 'bank' }, policy: policyFrom({}) },
    {
      ...{ withdrawalId, participationId, userId, detailsNoteId },
      ...{ method: 'BANK_CARD', acceptPenalty: false, at: new Date().toISOString() },
    },
  );
  return withdrawalId;
}
