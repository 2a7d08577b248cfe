/** Good, bad, on its way, not known, nothing. Each has its own shape, so that colour is never the only sign. */
export type Tone = 'pass' | 'fail' | 'warn' | 'idle' | 'none';
