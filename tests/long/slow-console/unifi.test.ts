// Concurrent orders on slow consoles, through the driver `unifi`.

import { testAnsweredIsMade } from './slow-console.ts';

testAnsweredIsMade('unifi');
