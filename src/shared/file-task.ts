/** Progress of a file that is being written or read. */
export interface FileTask {
  kind: 'save' | 'open';
  /** Transactions or polls written or read; 0 while the file dialog is open. */
  done: number;
  /** Share of all that is done, 0 to 1. */
  share: number;
}
