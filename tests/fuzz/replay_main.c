/* Runs a fuzz target over every file of the folders and files given: the corpus as an ordinary
 * test. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay_file(const char *path) {
    FILE *file = fopen(path, "rbe");
    if (!file) {
        perror(path);
        return 1;
    }
    struct stat st;
    if (fstat(fileno(file), &st) != 0 || st.st_size < 0) {
        fclose(file);
        return 1;
    }
    size_t size = (size_t)st.st_size;
    uint8_t *data = malloc(size ? size : 1); /* exact size: a read beyond the end is found */
    if (!data || fread(data, 1, size, file) != size) {
        free(data);
        fclose(file);
        return 1;
    }
    fclose(file);
    (void)LLVMFuzzerTestOneInput(data, size);
    free(data);
    return 0;
}

int main(int argc, char **argv) {
    int bad = 0, n = 0;
    for (int i = 1; i < argc; i++) {
        DIR *dir = opendir(argv[i]);
        if (!dir) {
            bad += replay_file(argv[i]);
            n++;
            continue;
        }
        for (struct dirent *e; (e = readdir(dir));) {
            char path[4096];
            if (e->d_name[0] == '.') {
                continue;
            }
            snprintf(path, sizeof path, "%s/%s", argv[i], e->d_name);
            bad += replay_file(path);
            n++;
        }
        closedir(dir);
    }
    printf("%d inputs replayed\n", n);
    return bad || n == 0;
}
