import { attemptsOf, goesThroughProvider } from '../../../db/commerce/payment/payment-attempt.transitions';
import { inTransaction } from '../../../db/sql/transaction';
import type { FoundMoneyActivities } from '../../../workflows/commerce/payment/found-money.contract';
import type { DbDeps, UseCases } from '../../steps';
import { labelled } from '../payment/label-refunds';
import { applyFoundPayments } from './look-up/apply-look-ups';
import { refundsStillDue } from './refunds-still-due';

/** The steps of a look-up that use the database alone; every process of a payment has them. */
export const foundMoneyUseCases: UseCases<FoundMoneyActivities, DbDeps> = {
  providersToAsk: ({ db }, payable) =>
    inTransaction(db, async (tx) => {
      const attempts = (await attemptsOf(tx, payable)).filter(goesThroughProvider);
      return [...new Set(attempts.map(({ provider }) => provider))];
    }),

  applyLookUps: ({ db }, { found, complete, at, ...payable }) =>
    inTransaction(db, async (tx) => {
      await applyFoundPayments(tx, payable, { found, complete, at });
      return labelled(tx, await refundsStillDue(tx, payable));
    }),
};
