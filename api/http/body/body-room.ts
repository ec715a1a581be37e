import type { Request, Response } from 'express';
import { Busy } from '../limits/gate';
import { clientOf, TooManyRequests } from '../limits/rate-limit';
import { requestStateOf } from '../observe/visit';

/** The client has closed its connection; nobody is there to answer. */
export class ClientGone extends Error {}

export interface RoomLimits {
  /** For all bodies of this process together. */
  bytes: number;
  /** For those of one client, so that none takes all. */
  perClientBytes: number;
}

/**
 * Memory for bodies that are arriving or being worked on. Room is taken for what a body may become, before its first
 * byte is read: clients that announce much and stop sending cannot take more than there is.
 */
export class BodyRoom {
  private free: number;
  private readonly takenBy = new Map<string, number>();

  constructor(private readonly limits: RoomLimits) {
    this.free = limits.bytes;
  }

  /**
   * Takes room until the request was handled or its connection is closed, whichever is first: the response of a
   * request that is pipelined behind another has no connection yet, and does not hear that it was closed. Throws
   * `ClientGone` when that has happened already, `Busy` when there is no room, `TooManyRequests` when a client has its
   * share.
   */
  take(req: Request, res: Response, mostBytes: number): void {
    if (req.destroyed || res.closed) throw new ClientGone();
    const client = clientOf(requestStateOf(req));
    const bytes = Math.min(mostBytes, announced(req));
    const taken = (this.takenBy.get(client) ?? 0) + bytes;
    if (taken > this.limits.perClientBytes) throw new TooManyRequests(1);
    if (bytes > this.free) throw new Busy();
    this.free -= bytes;
    this.takenBy.set(client, taken);
    let isTaken = true;
    const release = () => {
      if (isTaken) this.giveBack(client, bytes);
      isTaken = false;
    };
    requestStateOf(req).releases.push(release);
    res.once('close', release);
  }

  private giveBack(client: string, bytes: number): void {
    this.free += bytes;
    const left = (this.takenBy.get(client) ?? bytes) - bytes;
    if (left > 0) this.takenBy.set(client, left);
    else this.takenBy.delete(client);
  }
}

/** What a body may grow to by its headers; a packed one, and one without a length, to anything. */
export function announced(req: Request): number {
  const { 'content-encoding': packed, 'content-length': length } = req.headers;
  if (packed !== undefined && packed !== 'identity') return Infinity;
  return length === undefined
    ? req.headers['transfer-encoding'] === undefined
      ? 0
      : Infinity
    : Number(length);
}
