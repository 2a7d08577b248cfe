import type { AlertSettings, Settings } from '../settings.ts';

export type AlertThresholds = Pick<AlertSettings, 'failAfter' | 'recoverAfter' | 'silentSeconds'>;

/** The settings for one node: with its own thresholds where it has some. */
export function settingsOfNode(settings: AlertSettings, nodeId: string): AlertSettings {
  const { nodeId: _, ...own } = settings.ofNodes.find((one) => one.nodeId === nodeId) ?? { nodeId };
  return { ...settings, ...own };
}

/** After so many passes a failure is over in the list of incidents and for all alerts: until then the history keeps it. */
export function overAfter({ health, alerts }: Pick<Settings, 'health' | 'alerts'>): number {
  return Math.max(...[health, alerts, ...alerts.ofNodes].map(({ recoverAfter }) => recoverAfter));
}

/** The settings with these thresholds for one node, or for all nodes without their own; null takes a node's own away. */
export function withThresholds(
  settings: AlertSettings,
  nodeId: string | null,
  thresholds: AlertThresholds | null,
): AlertSettings {
  if (nodeId === null) return { ...settings, ...thresholds };
  const others = settings.ofNodes.filter((one) => one.nodeId !== nodeId);
  return { ...settings, ofNodes: thresholds === null ? others : [...others, { nodeId, ...thresholds }] };
}
