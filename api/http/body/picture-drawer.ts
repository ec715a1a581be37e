/** A size for a picture: within a square of `side` pixels, or cropped around its middle to that square. */
export interface Drawing {
  side: number;
  fit: 'inside' | 'square';
}

/** A drawn picture: WebP, with its size in pixels. */
export interface Drawn {
  bytes: Buffer;
  width: number;
  height: number;
}

/** Redraws pictures from clients, so that only bytes of our own making are stored. */
export interface PictureDrawer {
  /**
   * Draws the picture as WebP in each of these sizes. Refuses with INVALID_FILE_TYPE anything but a complete JPEG, PNG
   * or WebP picture of reasonable size. Rejects with `Busy` when too many wait, the drawing takes too long, or the
   * client hangs up before its turn.
   */
  draw: (bytes: Buffer, drawings: readonly Drawing[], clientGone: AbortSignal) => Promise<Drawn[]>;
}
