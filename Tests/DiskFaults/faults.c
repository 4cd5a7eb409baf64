/* A failing disk, preloaded into a process with LD_PRELOAD.
 *
 * Counts the calls that change the files of one database (FAULTS_PATH, and the same with -wal or -journal behind it) and makes
 * one of them fail: of the calls of the kind FAULTS_CALL (w write, s sync, t truncate) the one whose number is FAULTS_AT, from
 * 1. Beside each file it keeps FILE.durable, which has only what a successful sync has confirmed: what a machine finds after
 * it has lost its power.
 *
 * As Linux does it, a sync that fails marks the pages clean: what they held is in FILE until the power goes, and no later
 * sync writes it. Each descriptor that was open then is told once, by its next sync (errseq_t, since Linux 4.13).
 *
 * FAULTS_KIND: "eio" fails once, "eio-for-ever" fails from there on, whatever the call, "short" writes the half of what it is
 * told and has no room for the next write. FAULTS_LOG: where to write a letter for each call. FAULTS_HANG: a file; while it
 * exists, a sync never returns.
 *
 * A sync takes two milliseconds, a write to the database one, as on a disk: checkpoints overlap with commits.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILES_MAX 8
#define RANGES_MAX 65536
#define DESCRIPTORS_MAX 4096

struct range { off_t from, to; };

struct file {
    char path[512];
    int durable;
    int is_truncated;
    /* Syncs that failed. */
    long errors;
    size_t count;
    struct range ranges[RANGES_MAX];
};

enum kind { WRITE = 'w', SYNC = 's', TRUNCATE = 't' };
enum outcome { GOES_ON, FAILS_EIO, IS_SHORT, HAS_NO_ROOM };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct file *files[FILES_MAX];
static long calls, at;
static char call;
/* How many of its file's failed syncs a descriptor knows of. */
static long known[DESCRIPTORS_MAX];
static int is_for_ever, is_short, has_begun, has_no_room, log_file = -1;
static const char *path_of_database, *hang_file;

static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static ssize_t (*real_write)(int, const void *, size_t);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static int (*real_ftruncate)(int, off_t);
static int (*real_unlink)(const char *);
static int (*real_open)(const char *, int, ...);

static void prepare(void) {
    static int is_prepared;
    if (is_prepared) return;
    is_prepared = 1;
    real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
    real_write = dlsym(RTLD_NEXT, "write");
    real_fsync = dlsym(RTLD_NEXT, "fsync");
    real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
    real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
    real_unlink = dlsym(RTLD_NEXT, "unlink");
    real_open = dlsym(RTLD_NEXT, "open64");
    path_of_database = getenv("FAULTS_PATH");
    hang_file = getenv("FAULTS_HANG");
    const char *number = getenv("FAULTS_AT"), *kind = getenv("FAULTS_KIND"), *log = getenv("FAULTS_LOG");
    const char *letter = getenv("FAULTS_CALL");
    at = number ? atol(number) : 0;
    call = letter ? *letter : 0;
    is_for_ever = kind && strcmp(kind, "eio-for-ever") == 0;
    is_short = kind && strcmp(kind, "short") == 0;
    if (log) log_file = real_open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static int is_ours(const char *path) {
    if (!path_of_database) return 0;
    size_t length = strlen(path_of_database);
    if (strncmp(path, path_of_database, length) != 0) return 0;
    const char *rest = path + length;
    return *rest == 0 || strcmp(rest, "-wal") == 0 || strcmp(rest, "-journal") == 0;
}

static void copy(int from, int to, off_t start, off_t end) {
    char bytes[65536];
    while (start < end) {
        size_t wanted = end - start < (off_t)sizeof bytes ? (size_t)(end - start) : sizeof bytes;
        ssize_t count = pread(from, bytes, wanted, start);
        if (count <= 0) return;
        real_pwrite(to, bytes, count, start);
        start += count;
    }
}

/* The file that a descriptor belongs to, or NULL where it is none of the database's. Called with the lock held. */
static struct file *find(int descriptor) {
    char link[64], path[512], durable[600];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0 || descriptor >= DESCRIPTORS_MAX) return NULL;
    path[length] = 0;
    if (!is_ours(path)) return NULL;
    int free_place = -1;
    for (int index = 0; index < FILES_MAX; index++) {
        if (!files[index]) {
            if (free_place < 0) free_place = index;
        } else if (strcmp(files[index]->path, path) == 0) {
            return files[index];
        }
    }
    if (free_place < 0) abort();
    struct file *file = calloc(1, sizeof *file);
    strcpy(file->path, path);
    snprintf(durable, sizeof durable, "%s.durable", path);
    struct stat status;
    int is_there = stat(durable, &status) == 0;
    file->durable = real_open(durable, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (!is_there) {
        /* What was there before this process is taken for durable. */
        int source = real_open(path, O_RDONLY | O_CLOEXEC);
        if (fstat(source, &status) == 0) copy(source, file->durable, 0, status.st_size);
        close(source);
    }
    files[free_place] = file;
    return file;
}

static enum outcome count_call(enum kind kind) {
    char letter = kind;
    if (log_file >= 0) real_write(log_file, &letter, 1);
    if (kind == WRITE && has_no_room) {
        has_no_room = 0;
        return HAS_NO_ROOM;
    }
    if (kind == (enum kind)call) calls++;
    if (at > 0 && kind == (enum kind)call && calls == at) {
        has_begun = is_for_ever;
        if (!is_short) return FAILS_EIO;
        has_no_room = 1;
        return IS_SHORT;
    }
    return has_begun ? FAILS_EIO : GOES_ON;
}

static void mark(struct file *file, off_t from, ssize_t count) {
    if (count <= 0) return;
    if (file->count == RANGES_MAX) abort();
    file->ranges[file->count++] = (struct range){from, from + count};
}

/* Called with the lock held. */
static ssize_t write_at(struct file *file, int descriptor, const void *bytes, size_t count, off_t offset) {
    switch (count_call(WRITE)) {
    case FAILS_EIO: errno = EIO; return -1;
    case HAS_NO_ROOM: errno = ENOSPC; return -1;
    case IS_SHORT: count = count / 2; break;
    case GOES_ON: break;
    }
    ssize_t written = real_pwrite(descriptor, bytes, count, offset);
    mark(file, offset, written);
    return written;
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off_t offset) {
    pthread_mutex_lock(&lock);
    prepare();
    struct file *file = find(descriptor);
    if (file && strcmp(file->path, path_of_database) == 0) {
        pthread_mutex_unlock(&lock);
        usleep(1000);
        pthread_mutex_lock(&lock);
    }
    ssize_t written = file ? write_at(file, descriptor, bytes, count, offset)
                           : real_pwrite(descriptor, bytes, count, offset);
    int code = errno;
    pthread_mutex_unlock(&lock);
    errno = code;
    return written;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    return pwrite64(descriptor, bytes, count, offset);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    pthread_mutex_lock(&lock);
    prepare();
    struct file *file = find(descriptor);
    ssize_t written;
    if (file) {
        off_t offset = lseek(descriptor, 0, SEEK_CUR);
        written = write_at(file, descriptor, bytes, count, offset);
        int code = errno;
        if (written > 0) lseek(descriptor, offset + written, SEEK_SET);
        errno = code;
    } else {
        written = real_write(descriptor, bytes, count);
    }
    int code = errno;
    pthread_mutex_unlock(&lock);
    errno = code;
    return written;
}

static int sync_file(int descriptor, int (*real)(int)) {
    pthread_mutex_lock(&lock);
    prepare();
    struct file *file = find(descriptor);
    int result = 0;
    if (!file) {
        pthread_mutex_unlock(&lock);
        return real(descriptor);
    }
    pthread_mutex_unlock(&lock);
    while (hang_file && access(hang_file, F_OK) == 0) usleep(100000);
    usleep(2000);
    pthread_mutex_lock(&lock);
    if (count_call(SYNC) == FAILS_EIO) {
        result = -1;
        file->errors++;
        known[descriptor] = file->errors;
    } else if (known[descriptor] < file->errors) {
        result = -1;
        known[descriptor] = file->errors;
    } else {
        for (size_t index = 0; index < file->count; index++) {
            copy(descriptor, file->durable, file->ranges[index].from, file->ranges[index].to);
        }
        struct stat status;
        if (file->is_truncated && fstat(descriptor, &status) == 0) real_ftruncate(file->durable, status.st_size);
        file->is_truncated = 0;
    }
    file->count = 0;
    pthread_mutex_unlock(&lock);
    if (result != 0) errno = EIO;
    return result;
}

int fsync(int descriptor) {
    pthread_mutex_lock(&lock);
    prepare();
    pthread_mutex_unlock(&lock);
    return sync_file(descriptor, real_fsync);
}

int fdatasync(int descriptor) {
    pthread_mutex_lock(&lock);
    prepare();
    pthread_mutex_unlock(&lock);
    return sync_file(descriptor, real_fdatasync);
}

int ftruncate64(int descriptor, off_t size) {
    pthread_mutex_lock(&lock);
    prepare();
    struct file *file = find(descriptor);
    int result;
    if (file && count_call(TRUNCATE) == FAILS_EIO) {
        result = -1;
        errno = EIO;
    } else {
        result = real_ftruncate(descriptor, size);
        if (file && result == 0) file->is_truncated = 1;
    }
    int code = errno;
    pthread_mutex_unlock(&lock);
    errno = code;
    return result;
}

int ftruncate(int descriptor, off_t size) { return ftruncate64(descriptor, size); }

static int open_file(const char *path, int flags, mode_t mode) {
    pthread_mutex_lock(&lock);
    prepare();
    pthread_mutex_unlock(&lock);
    int descriptor = real_open(path, flags, mode);
    if (descriptor < 0 || descriptor >= DESCRIPTORS_MAX) return descriptor;
    pthread_mutex_lock(&lock);
    struct file *file = is_ours(path) ? find(descriptor) : NULL;
    known[descriptor] = file ? file->errors : 0;
    pthread_mutex_unlock(&lock);
    return descriptor;
}

int open64(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = va_arg(list, mode_t);
    va_end(list);
    return open_file(path, flags, mode);
}

int open(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = va_arg(list, mode_t);
    va_end(list);
    return open_file(path, flags, mode);
}

int unlink(const char *path) {
    pthread_mutex_lock(&lock);
    prepare();
    if (is_ours(path)) {
        char durable[600];
        snprintf(durable, sizeof durable, "%s.durable", path);
        real_unlink(durable);
        for (int index = 0; index < FILES_MAX; index++) {
            if (!files[index] || strcmp(files[index]->path, path) != 0) continue;
            close(files[index]->durable);
            free(files[index]);
            files[index] = NULL;
        }
    }
    int result = real_unlink(path);
    int code = errno;
    pthread_mutex_unlock(&lock);
    errno = code;
    return result;
}
