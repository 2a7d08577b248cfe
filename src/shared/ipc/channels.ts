// No imports: the preload script is built from this file.

/** The prefix of calls, so that the window cannot reach other listeners in the main process. */
export const callChannel = (name: string): string => `call:${name}`;
/** On which the window gets all events. */
export const eventsChannel = 'events';
