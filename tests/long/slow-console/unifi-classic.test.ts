// Concurrent orders on slow consoles, through the driver `unifi-classic`.

import { testAnsweredIsMade } from './slow-console.ts';

testAnsweredIsMade('unifi-classic');
