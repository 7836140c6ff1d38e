/*
 * Makes the disk of one process full and empty again, without a small file system, which only root may mount. Loaded by
 * LD_PRELOAD: while the file that FULL_DISK names exists, a write that would make a regular file longer fails as on a
 * full disk, with ENOSPC. Writes within a file succeed, as they do there. System calls are made directly, because the
 * functions that they replace may be called in a signal handler.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static int is_refused(int fd, off_t end) {
  const char *flag = getenv("FULL_DISK");
  struct stat file;
  int before = errno;
  if (flag == NULL || access(flag, F_OK) != 0 || fstat(fd, &file) != 0 || !S_ISREG(file.st_mode) || end <= file.st_size) {
    errno = before;
    return 0;
  }
  errno = ENOSPC;
  return 1;
}

static off_t length_of(const struct iovec *parts, int count) {
  off_t length = 0;
  for (int i = 0; i < count; i++) length += parts[i].iov_len;
  return length;
}

static off_t place_of(int fd) {
  int before = errno;
  int flags = fcntl(fd, F_GETFL);
  off_t place = lseek(fd, 0, flags != -1 && (flags & O_APPEND) ? SEEK_END : SEEK_CUR);
  errno = before;
  return place;
}

#define REFUSE_IF_FULL(fd, end) if (is_refused(fd, end)) return -1

ssize_t write(int fd, const void *data, size_t size) {
  REFUSE_IF_FULL(fd, place_of(fd) + (off_t)size);
  return syscall(SYS_write, fd, data, size);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  REFUSE_IF_FULL(fd, place_of(fd) + length_of(parts, count));
  return syscall(SYS_writev, fd, parts, count);
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) {
  REFUSE_IF_FULL(fd, at + (off_t)size);
  return syscall(SYS_pwrite64, fd, data, size, at);
}

ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t at) {
  REFUSE_IF_FULL(fd, at + length_of(parts, count));
  return syscall(SYS_pwritev, fd, parts, count, at, 0);
}

int fallocate64(int fd, int mode, off64_t at, off64_t size) {
  REFUSE_IF_FULL(fd, at + size);
  return syscall(SYS_fallocate, fd, mode, at, size);
}

int posix_fallocate64(int fd, off64_t at, off64_t size) {
  return fallocate64(fd, 0, at, size) == 0 ? 0 : errno;
}

/* On 64-bit systems these are the same functions under other names. */
ssize_t pwrite(int fd, const void *data, size_t size, off_t at) { return pwrite64(fd, data, size, at); }
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) { return pwritev64(fd, parts, count, at); }
int fallocate(int fd, int mode, off_t at, off_t size) { return fallocate64(fd, mode, at, size); }
int posix_fallocate(int fd, off_t at, off_t size) { return posix_fallocate64(fd, at, size); }
