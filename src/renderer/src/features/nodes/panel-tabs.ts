export type PanelTab = 'health' | 'incidents' | 'replay';

/** The parts of the panel of a node or a recording. */
export const panelTabs: readonly { value: PanelTab; text: string }[] = [
  { value: 'health', text: 'Health' },
  { value: 'incidents', text: 'Incidents' },
  { value: 'replay', text: 'Replay' },
];
