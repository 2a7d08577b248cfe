import { serve } from './adapters/decode/serve.ts';
import { readers } from './readers.ts';

/** Entry of the reading thread: large texts are read here, so that the app does not stand still meanwhile. */

serve(readers);
