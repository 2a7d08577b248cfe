/** Limits for the options of a node; enforced by the form and by the main process. */
export const nodeLimits = {
  intervalMs: { min: 1_000, max: 86_400_000 },
  tags: 50,
  tagLength: 200,
  headers: 20,
} as const;
