import type { Request, Response } from 'express';
import { Busy } from '../limits/gate';
import { clientOf, TooManyRequests } from '../limits/rate-limit';
import { requestStateOf } from '../observe/request-state';

/** The client has closed its connection, so there is nothing to answer. */
export class ClientGone extends Error {}

export interface BodyMemoryLimits {
  /** Limit for all bodies of this process together. */
  bytes: number;
  /** Limit for the bodies of one client, so that none can take all memory. */
  perClientBytes: number;
}

/**
 * Limits the memory of bodies that are being received or processed. A body reserves its largest possible size before
 * its first byte is read, so that clients that announce much and send slowly cannot exceed the limit.
 */
export class BodyMemory {
  private free: number;
  private readonly reservedBy = new Map<string, number>();

  constructor(private readonly limits: BodyMemoryLimits) {
    this.free = limits.bytes;
  }

  /**
   * Reserves memory until the request is handled or its connection closes, whichever is first: a pipelined response has
   * no connection yet and gets no close event. Throws `ClientGone` if the connection is closed already, `Busy` if the
   * process has no memory left, `TooManyRequests` if the client has used its part up.
   */
  reserve(req: Request, res: Response, mostBytes: number): void {
    if (req.destroyed || res.closed) throw new ClientGone();
    const client = clientOf(requestStateOf(req));
    const bytes = Math.min(mostBytes, announcedBytes(req));
    const reserved = (this.reservedBy.get(client) ?? 0) + bytes;
    if (reserved > this.limits.perClientBytes) throw new TooManyRequests(1);
    if (bytes > this.free) throw new Busy();
    this.free -= bytes;
    this.reservedBy.set(client, reserved);
    let isReserved = true;
    const release = () => {
      if (isReserved) this.release(client, bytes);
      isReserved = false;
    };
    requestStateOf(req).releases.push(release);
    res.once('close', release);
  }

  private release(client: string, bytes: number): void {
    this.free += bytes;
    const left = (this.reservedBy.get(client) ?? bytes) - bytes;
    if (left > 0) this.reservedBy.set(client, left);
    else this.reservedBy.delete(client);
  }
}

/** The size of a body in bytes according to its headers; Infinity if it is compressed or has no length. */
export function announcedBytes(req: Request): number {
  const { 'content-encoding': encoding, 'content-length': length } = req.headers;
  if (encoding !== undefined && encoding !== 'identity') return Infinity;
  return length === undefined
    ? req.headers['transfer-encoding'] === undefined
      ? 0
      : Infinity
    : Number(length);
}
