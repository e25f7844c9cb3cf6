// Loaded into the service with LD_PRELOAD: records in the file RECORD_TO all writes to the database and its log, and all
// syncs, in their order. read-recording.ts reads the file.
//
// A sync takes at least SYNC_DELAY_US microseconds, so that a client that gets its response before the end is noticed. With
// IGNORE_SYNCS, syncs do nothing.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum Kind { WRITE, TRUNCATE, SYNC_BEGIN, SYNC_END };
enum File { OTHER, DATABASE, LOG, FOLDER };

struct Record {
  uint32_t kind;
  uint32_t file;
  uint64_t at_ns;
  uint64_t offset;
  uint64_t length;
};

// Held during a write, so that a sync begins either before or after it.
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
static int output = -1;

static void *real(const char *name) {
  return dlsym(RTLD_NEXT, name);
}

static ssize_t real_write(int fd, const void *bytes, size_t length) {
  static ssize_t (*call)(int, const void *, size_t);
  if (!call) call = real("write");
  return call(fd, bytes, length);
}

static void put(const void *bytes, size_t length) {
  if (real_write(output, bytes, length) == (ssize_t)length) return;
  perror("record-writes");
  abort();
}

static void record(enum Kind kind, enum File file, uint64_t offset, const void *bytes, uint64_t length) {
  if (output < 0) output = open(getenv("RECORD_TO"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  uint64_t at_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
  struct Record head = {kind, file, at_ns, offset, length};
  put(&head, sizeof head);
  if (bytes) put(bytes, length);
}

static int ends_with(const char *path, const char *end) {
  size_t length = strlen(path), wanted = strlen(end);
  return length >= wanted && strcmp(path + length - wanted, end) == 0;
}

static enum File file_of(int fd) {
  char link[64], path[PATH_MAX + 1];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, PATH_MAX);
  if (length < 0) return OTHER;
  path[length] = 0;
  if (ends_with(path, "/gastpass.sqlite")) return DATABASE;
  if (ends_with(path, "/gastpass.sqlite-wal")) return LOG;
  return strcmp(path, getenv("DATA_DIR")) == 0 ? FOLDER : OTHER;
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) {
  static ssize_t (*call)(int, const void *, size_t, off64_t);
  if (!call) call = real("pwrite64");
  enum File file = file_of(fd);
  if (file == OTHER) return call(fd, bytes, length, offset);
  pthread_mutex_lock(&order);
  record(WRITE, file, (uint64_t)offset, bytes, length);
  ssize_t written = call(fd, bytes, length, offset);
  pthread_mutex_unlock(&order);
  return written;
}

int ftruncate64(int fd, off64_t length) {
  static int (*call)(int, off64_t);
  if (!call) call = real("ftruncate64");
  enum File file = file_of(fd);
  if (file == OTHER) return call(fd, length);
  pthread_mutex_lock(&order);
  record(TRUNCATE, file, (uint64_t)length, NULL, 0);
  int result = call(fd, length);
  pthread_mutex_unlock(&order);
  return result;
}

// The end of a sync has the number of its beginning, because several syncs can run at the same time.
static uint64_t record_sync(enum Kind kind, enum File file, uint64_t number) {
  static uint64_t begun;
  pthread_mutex_lock(&order);
  if (kind == SYNC_BEGIN) number = ++begun;
  record(kind, file, number, NULL, 0);
  pthread_mutex_unlock(&order);
  return number;
}

static int sync_file(int fd, int (*call)(int)) {
  enum File file = file_of(fd);
  if (file == OTHER) return call(fd);
  if (getenv("IGNORE_SYNCS")) return 0;
  uint64_t number = record_sync(SYNC_BEGIN, file, 0);
  usleep((useconds_t)atoi(getenv("SYNC_DELAY_US")));
  int result = call(fd);
  if (result == 0) record_sync(SYNC_END, file, number);
  return result;
}

int fsync(int fd) {
  return sync_file(fd, real("fsync"));
}

int fdatasync(int fd) {
  return sync_file(fd, real("fdatasync"));
}
