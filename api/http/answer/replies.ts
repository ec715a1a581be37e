/** What an answer carries beside its data. */
export interface Reply {
  /** Answers with this status instead of the contract's first; it must be one that the contract lists. */
  status: (status: SuccessStatus) => void;
  page: (page: Page) => void;
  /** Browsers save the answer under this name instead of showing it. */
  download: (fileName: string) => void;
  /** Where the caller is to go on, for an endpoint whose success is 302. */
  redirect: (url: string) => void;
  /** Of a cached endpoint: what of the catalogue the answer shows beside prices and texts (`catalogueTags`). */
  dependsOn: (...tags: string[]) => void;
  setCookie: (name: string, value: string, options: { path: string; maxAgeSeconds: number }) => void;
  clearCookie: (name: string, options: { path: string }) => void;
}

/** Where a list stands in the whole: total rows, the page asked for (from 1), and its size. */
export interface Page {
  total: number;
  page: number;
  pageSize: number;
}

export type SuccessStatus = 200 | 201 | 202 | 302;
