// Concurrent orders on slow consoles, through the driver `unifi`.

import { testRespondedIsMade } from './slow-console.ts';

testRespondedIsMade('unifi');
