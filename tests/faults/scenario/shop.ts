import type { Db } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import { sendOnce, type Person } from '../requests/client';
import { openStrategy, type Offer } from './investing';
import { partnerChain, refer } from './partners';

export interface Buyer extends Person {
  addressId: string;
  email: string;
  password: string;
}

/** The goods of one scenario. */
export interface Shop {
  /** Products with enough stock. */
  goods: string[];
  /** A product without enough stock for everyone. */
  scarce: string;
  scarceStockItemId: string;
  /** A coupon with fewer uses than buyers. */
  couponCode: string;
  methodId: string;
  /** The strategy that people invest in. */
  offer: Offer;
}

/** Half of a token's life: a buyer who signs in at a scenario's start is still signed in at its end. */
const SIGNED_IN_MS = 30 * 60_000;

/** The buyers, the partners who have referred them, and the administrator of a stack, the same in every scenario. */
export class People {
  private signedInAt = 0;

  private constructor(
    readonly buyers: Buyer[],
    readonly admin: Buyer,
    /** From the top. */
    readonly partners: readonly string[],
  ) {}

  static async settle(db: Db, count: number): Promise<People> {
    const buyers: Buyer[] = [];
    for (let i = 0; i < count; i++)
      buyers.push({
        ...(await make.buyer(db, { walletMinor: 100_000_000, kycLevel: 'ENHANCED' })),
        token: '',
      });
    const partners = await partnerChain(db);
    await refer(
      db,
      partners,
      buyers.map(({ id }) => id),
    );
    return new People(buyers, { ...(await make.admin(db)), addressId: '', token: '' }, partners);
  }

  /** Signs everyone in again if their tokens are getting old. */
  async signIn(port: number): Promise<void> {
    if (Date.now() - this.signedInAt < SIGNED_IN_MS) return;
    for (const person of [this.admin, ...this.buyers]) {
      const { email, password } = person;
      const answer = await sendOnce(port, {
        method: 'POST',
        path: '/api/v1/auth/login',
        body: { email, password },
      });
      const token = answer.body.data?.['accessToken'];
      if (typeof token !== 'string') throw new Error(`${email} could not sign in: ${JSON.stringify(answer)}`);
      person.token = token;
    }
    this.signedInAt = Date.now();
  }
}

let methodId: Promise<string> | undefined;

export async function openShop(db: Db): Promise<Shop> {
  methodId ??= make.shippingMethod(db);
  const goods: string[] = [];
  for (let i = 0; i < 4; i++) goods.push((await make.product(db, { stock: 10_000 })).id);
  const scarce = await make.product(db, { stock: 6 });
  const coupon = await make.coupon(db, { usageLimit: 5 });
  return {
    goods,
    scarce: scarce.id,
    scarceStockItemId: scarce.stockItemId ?? '',
    couponCode: coupon.code,
    methodId: await methodId,
    offer: await openStrategy(db),
  };
}
