/** Archives and other bodies on this machine, for later runs. Nothing of a refused fetch comes here, and no credential. */
export interface ChartCache {
  /** Absolute path of what has this digest (`sha256:<hex>`), checked again on each use; undefined where it is not there or damaged. */
  find(digest: string): Promise<string | undefined>
  /** Gives its path, which ends in `.tgz` where it is packed. Throws where it has another digest. */
  keep(digest: string, bytes: Uint8Array): Promise<string>
  /** Removes it, where it is there. */
  drop(digest: string): Promise<void>
  /** What a server said of an address that may have moved, and the body: for conditional requests. */
  remembered(url: string): Promise<RememberedBody | undefined>
  /** Gives the path of the body. An address with a login in it is not remembered. */
  remember(url: string, marks: BodyMarks, bytes: Uint8Array): Promise<string>
}

/** Headers of an answer that a conditional request repeats. */
export interface BodyMarks {
  readonly etag?: string
  readonly lastModified?: string
}

export interface RememberedBody extends BodyMarks {
  readonly path: string
}
