/* Does the writes, fsyncs and renames of one durable save, and nothing else.
 *
 *     yardstick_save MEMORY STATE
 *
 * reads lines `save TOPIC INDEX JOURNAL HUB...` (sizes in bytes; an index of 0 is not written; `update` instead
 * of `save` replaces a topic) and answers each with the seconds it took. The order is that of memdir: topic and index texts are made durable under temporary
 * names, the topic gets its name and its folder is synced, then hubs and index likewise, then the copy of the
 * index in the state folder (not synced: it may be lost) and one durable line in the journal.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LARGEST = 1 << 20, MOST_HUBS = 256 };

static char text[LARGEST];
static char temporary[MOST_HUBS][32];

static void must(int good, const char *what)
{
    if (!good) {
        perror(what);
        exit(1);
    }
}

static int folder_opened(int at, const char *path)
{
    int folder = openat(at, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    must(folder >= 0, path);
    return folder;
}

static void written(int folder, const char *name, int flags, long size, int synced)
{
    int file = openat(folder, name, flags | O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    must(file >= 0, name);
    must(size <= LARGEST && write(file, text, size) == size, "write");
    must(!synced || fsync(file) == 0, "fsync");
    close(file);
}

static void placed(int folder, const char *from, const char *to)
{
    must(renameat(folder, from, folder, to) == 0, "rename");
}

static void save(int memory, int state, const char *target, const long *sizes, int hubs)
{
    long topic = sizes[0], index = sizes[1], journal = sizes[2];
    int hub_folder = hubs > 0 ? folder_opened(memory, "hubs") : -1;
    char name[64];

    written(memory, ".yardstick-topic", O_EXCL, topic, 1);
    for (int hub = 0; hub < hubs; hub++) {
        snprintf(temporary[hub], sizeof temporary[hub], ".yardstick-%d", hub);
        written(hub_folder, temporary[hub], O_EXCL, sizes[3 + hub], 1);
    }
    if (index > 0)
        written(memory, ".yardstick-index", O_EXCL, index, 1);

    placed(memory, ".yardstick-topic", target);
    must(fsync(memory) == 0, "fsync of the folder");

    for (int hub = 0; hub < hubs; hub++) {
        snprintf(name, sizeof name, "yardstick-%d.md", hub);
        placed(hub_folder, temporary[hub], name);
    }
    if (index > 0)
        placed(memory, ".yardstick-index", "MEMORY.md");
    must(hubs == 0 || fsync(hub_folder) == 0, "fsync of the hubs");
    must(index == 0 || fsync(memory) == 0, "fsync of the folder");
    if (hub_folder >= 0)
        close(hub_folder);

    if (index > 0) {
        written(state, ".yardstick-last", O_EXCL, index, 0);
        placed(state, ".yardstick-last", "index.last");
    }
    written(state, "journal", O_APPEND, journal, 1);
}

static int sizes_in(char *line, long *sizes)
{
    int count = 0;

    for (char *word = strtok(line, " \n"); word != NULL && count < 3 + MOST_HUBS; word = strtok(NULL, " \n"))
        if (*word >= '0' && *word <= '9')
            sizes[count++] = strtol(word, NULL, 10);
    return count;
}

int main(int count, char **arguments)
{
    static char line[4096];
    long sizes[3 + MOST_HUBS];

    if (count != 3) {
        fprintf(stderr, "usage: yardstick_save MEMORY STATE\n");
        return 2;
    }
    memset(text, 'x', sizeof text);
    int memory = folder_opened(AT_FDCWD, arguments[1]), state = folder_opened(AT_FDCWD, arguments[2]);
    for (long number = 0; fgets(line, sizeof line, stdin) != NULL;) {
        struct timespec begun, done;
        char target[64];

        /* An update replaces the newest of the topics that were saved. */
        number += line[0] == 's';
        snprintf(target, sizeof target, "reference_yardstick-%ld.md", number);
        int known = sizes_in(line, sizes);
        must(known >= 3, "sizes");
        clock_gettime(CLOCK_MONOTONIC, &begun);
        save(memory, state, target, sizes, known - 3);
        clock_gettime(CLOCK_MONOTONIC, &done);
        printf("{\"seconds\": %.9f}\n", (done.tv_sec - begun.tv_sec) + (done.tv_nsec - begun.tv_nsec) / 1e9);
        fflush(stdout);
    }
    return 0;
}
