/* Starts the server of the benchmarks, runs a command with each argument PORT replaced by the server's port, and prints the CPU
 * time of the command. Usage: server COMMAND… */
#include "server.h"

#include <sys/resource.h>
#include <sys/wait.h>

int main(int argc, char **argv) {
    pid_t server, child;
    char port[16];
    int status = 1;
    struct rusage used;
    snprintf(port, sizeof port, "%d", server_start(&server));
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "PORT") == 0) argv[i] = port;
    }
    if ((child = fork()) == 0) {
        execvp(argv[1], argv + 1);
        _exit(127);
    }
    wait4(child, &status, 0, &used);
    kill(server, SIGKILL);
    waitpid(server, NULL, 0);
    fprintf(stderr, "cpu %ld.%06ld s user, %ld.%06ld s system\n", (long)used.ru_utime.tv_sec, (long)used.ru_utime.tv_usec,
            (long)used.ru_stime.tv_sec, (long)used.ru_stime.tv_usec);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
