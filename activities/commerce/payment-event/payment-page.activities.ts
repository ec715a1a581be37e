import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { attemptById } from '../../../db/commerce/payment/payment-attempt.transitions';
import {
  storePage,
  paymentToOpen,
  type PaymentToOpen,
} from '../../../db/commerce/payment/payment-page.transitions';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import {
  PAGE_REFUSED,
  type PaymentPageActivities,
} from '../../../workflows/commerce/payment/payment-page.contract';
import { ProviderRefusal, type OpenedPayment } from '../../providers/payments/port';
import { applyReport } from './apply-report';
import { lockPayable } from '../payable/lock-payable';
import { providerOf, type Payments } from '../payment/payment-offer';

/** Opens pages at providers that make one on request. No transaction is open while they answer. */
export const paymentPageActivities = ({
  db,
  payments,
}: {
  db: Db;
  payments: Payments;
}): PaymentPageActivities => ({
  async openPage({ attemptId }) {
    const attempt = await paymentToOpen(db, attemptId);
    if (!attempt) throw new Error(`There is no attempt ${attemptId} to pay.`);
    const { provider, method, status, number: description, paymentUrl } = attempt;
    if (method !== 'CARD' && method !== 'EWALLET') return { paymentUrl: null };
    // The answer of an earlier try was lost.
    if (status === 'DECLINED' && paymentUrl === null) throw pageRefused('It was refused before.');
    if (status !== 'PENDING') return { paymentUrl: null };
    if (paymentUrl !== null) return { paymentUrl };
    try {
      const { amountMinor, currency, openedAt, expiresAt } = attempt;
      const opening = { key: attemptId, method, amountMinor, currency, openedAt, expiresAt, description };
      const page = await providerOf(payments, provider).openPayment(opening);
      const isOpen = await keepOpenedPage(db, attemptId, attempt, page);
      return { paymentUrl: isOpen ? page.paymentUrl : null };
    } catch (error) {
      if (!(error instanceof ProviderRefusal)) throw error;
      await endRefusedAttempt(db, attemptId);
      throw pageRefused(error.message);
    }
  },
});

const pageRefused = (why: string): ApplicationFailure =>
  ApplicationFailure.create({
    message: `The provider opens no page: ${why}`,
    type: PAGE_REFUSED,
    nonRetryable: true,
    category: ApplicationFailureCategory.BENIGN,
  });

/**
 * Ends an attempt that certainly never gets a page, as one that its provider declined: another attempt is required, and what has
 * only one, or cannot be asked for again, is given up.
 */
const endRefusedAttempt = (db: Db, attemptId: string): Promise<void> =>
  inTransaction(db, async (tx) => {
    const attempt = await attemptById(tx, attemptId);
    if (!attempt) return;
    const { amountMinor, currency } = attempt;
    const report = { paymentId: attemptId, status: 'DECLINED', amountMinor, currency } as const;
    const at = new Date().toISOString();
    await applyReport(tx, attempt, report, { at, allAsked: false });
    const payable = await lockPayable(tx, attempt);
    if (payable.isOpenedOnce && payable.awaitsPayment) await payable.expire(at);
  });

/**
 * Stores a page that was opened, and adds it to the mail about what is paid for, if one waits for it. Returns false if
 * the attempt ended meanwhile; the page is then stored only to be closed, and not shown.
 */
const keepOpenedPage = (
  db: Db,
  attemptId: string,
  toOpen: PaymentToOpen,
  page: OpenedPayment,
): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const payable = await lockPayable(tx, toOpen);
    const isNew = await storePage(tx, attemptId, page);
    const attempt = await attemptById(tx, attemptId);
    if (!payable.awaitsPayment || attempt?.status !== 'PENDING') return false;
    const { amountMinor, expiresAt } = toOpen;
    const { paymentUrl } = page;
    if (isNew) await payable.showPage({ paymentUrl, amountMinor, expiresAt: new Date(expiresAt) });
    return true;
  });
