/** How much may be said of one node: the form and the border of the main process hold to these. */
export const nodeLimits = {
  intervalMs: { min: 1_000, max: 86_400_000 },
  tags: 50,
  tagLength: 200,
  headers: 20,
} as const;
