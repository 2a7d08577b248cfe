/** One step of the store's layout. Released steps never change; a new one is a new numbered file, added below. */
export interface Migration {
  /** 1, 2, 3 … without a gap; also the file's number. */
  readonly version: number;
  /**
   * Runs in one transaction together with the new version number, with foreign keys on: a table that others refer to is
   * changed in place, for dropping it deletes their rows.
   */
  readonly sql: string;
}
