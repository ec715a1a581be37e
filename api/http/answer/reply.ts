/** The parts of an answer besides its data; a handler sets them through `context.reply`. */
export interface Reply {
  /** Answers with this status instead of the contract's first; the contract must list it. */
  status: (status: SuccessStatus) => void;
  page: (page: Page) => void;
  /** Browsers save the answer under this name instead of showing it. */
  download: (fileName: string) => void;
  /** The address to go to, for an endpoint whose success is 302. */
  redirect: (url: string) => void;
  /**
   * Of a cached endpoint: the parts of the catalogue that the answer shows besides prices and texts (`catalogueTags`).
   */
  dependsOn: (...tags: string[]) => void;
  /** `crossSite`: forms of other sites send it too. */
  setCookie: (
    name: string,
    value: string,
    options: { path: string; maxAgeSeconds: number; crossSite?: boolean },
  ) => void;
  clearCookie: (name: string, options: { path: string; crossSite?: boolean }) => void;
}

/** One page of a list: total rows of the list, number of the page (from 1), and rows per page. */
export interface Page {
  total: number;
  page: number;
  pageSize: number;
}

export type SuccessStatus = 200 | 201 | 202 | 302;
