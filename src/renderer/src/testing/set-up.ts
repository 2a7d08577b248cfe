import { configure } from '@testing-library/svelte';

// Decides only when a test that waits for what never comes is reported: alone it takes milliseconds, on a busy machine seconds.
configure({ asyncUtilTimeout: 60_000 });
