import type { Request } from 'express';

/** True unless the content type names another character set than UTF-8. */
export function isUtf8(req: Request): boolean {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(req.get('content-type') ?? '')?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset);
}
