#define _GNU_SOURCE
#include "CPosixSpawn.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int cposixspawn_add_folder(posix_spawn_file_actions_t *actions, const char *folder) {
    return posix_spawn_file_actions_addchdir_np(actions, folder);
}

int cposixspawn_add_close_from(posix_spawn_file_actions_t *actions, int first) {
#if defined(__GLIBC__)
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
#else
    (void)actions;
    (void)first;
    return 0;
#endif
}

int cposixspawn_pipe(int ends[2]) {
#if defined(__APPLE__)
    if (pipe(ends) != 0) return errno;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return 0;
#else
    return pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno;
#endif
}
