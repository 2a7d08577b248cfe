/**
 * Good, bad, without an answer, on its way, being done, standing still, switched off by the user, not known, nothing. Each has its own shape, so that
 * colour is never the only sign.
 */
export type Tone = 'pass' | 'fail' | 'gone' | 'warn' | 'running' | 'stalled' | 'paused' | 'idle' | 'none';
