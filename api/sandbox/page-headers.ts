import type { Request, Response } from 'express';
import { PAGE_POLICY } from './html';

/** Sets the headers of a page whose address is the permission to use it. */
export function setPageHeaders(res: Response): void {
  res.set('Content-Security-Policy', PAGE_POLICY);
  res.set('Cache-Control', 'no-store');
  // The URL itself authorises the payment, so other sites must not see it as the referrer.
  res.set('Referrer-Policy', 'same-origin');
  res.set('X-Content-Type-Options', 'nosniff');
  res.type('html');
}

/** The signed part of the address, unchanged. */
export function signedQueryOf(req: Request): string {
  const { searchParams } = new URL(req.originalUrl, 'http://sandbox');
  searchParams.delete('outcome');
  return searchParams.toString();
}
