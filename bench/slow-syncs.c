// Replaces every sync of a file by a pause of SYNC_MS milliseconds: a slow disk whose speed does not depend on the real
// one. Preloaded into the measured service. A thread that pauses holds no lock, so the other threads go on.

#include <stdlib.h>
#include <time.h>

static struct timespec duration;

__attribute__((constructor)) static void read_duration(void) {
  const char *text = getenv("SYNC_MS");
  long ms = text ? atol(text) : 0;
  duration.tv_sec = ms / 1000;
  duration.tv_nsec = ms % 1000 * 1000000;
}

static int pause_instead(void) {
  struct timespec left = duration;
  while (nanosleep(&left, &left) != 0) {
  }
  return 0;
}

int fsync(int file) {
  (void)file;
  return pause_instead();
}

int fdatasync(int file) {
  (void)file;
  return pause_instead();
}
