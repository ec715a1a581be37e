/** Chosen: a link without a page of its own leads to the catalogue, which sets the cookies. */
export const DEFAULT_LANDING = '/api/v1/products';

/** The address that brings visitors by a partner's code, and by one of its links. */
export function referralUrl(
  publicUrl: string,
  { code, link, landingPath = DEFAULT_LANDING }: { code: string; link?: string; landingPath?: string },
): string {
  const url = new URL(landingPath, publicUrl);
  url.searchParams.set('ref', code);
  if (link !== undefined) url.searchParams.set('link', link);
  return url.href;
}
