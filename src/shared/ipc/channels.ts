// No imports: the preload script is built from this file.

/** Every call and event has its prefix, so that the window reaches nothing else that listens in the main process. */
export const callChannel = (name: string): string => `call:${name}`;
export const eventChannel = (name: string): string => `event:${name}`;
