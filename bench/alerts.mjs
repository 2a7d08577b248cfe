import { benchBuiltApp } from './built-app.mjs';

await benchBuiltApp('bench-alerts.ts');
