import type { Page } from './endpoint';
import { paginationOf } from './envelope';
import { digits } from './fields';

/** Past this page nobody reads on; it also keeps offsets far below what PostgreSQL counts to. */
const LAST_PAGE = 100_000;
const PAGE_SIZE = 20;

/** The query of a paginated list; spread it into the endpoint's own: `z.object({ ...paging(50), status })`. */
export const paging = (maxPageSize = 100) => ({
  page: digits({ min: 1, max: LAST_PAGE }).default(1),
  pageSize: digits({ min: 1, max: maxPageSize }).default(Math.min(PAGE_SIZE, maxPageSize)),
});

/** The `Link` header (RFC 8288) of a page of the list at `url`, which keeps its other parameters. */
export function pageLinks(url: string, page: Page): string {
  const { totalPages, hasNext, hasPrevious } = paginationOf(page);
  const [path = '', query = ''] = url.split(/\?(.*)/s);
  const link = (to: number, rel: string) => {
    const parameters = new URLSearchParams(query);
    parameters.set('page', String(to));
    parameters.set('pageSize', String(page.pageSize));
    return `<${path}?${parameters.toString()}>; rel="${rel}"`;
  };
  const last = Math.max(1, totalPages);
  return [
    link(1, 'first'),
    ...(hasPrevious ? [link(Math.min(page.page - 1, last), 'prev')] : []),
    ...(hasNext ? [link(page.page + 1, 'next')] : []),
    link(last, 'last'),
  ].join(', ');
}
