/* A server that accepts connections and never responds. */
#ifndef SILENT_SERVER_H
#define SILENT_SERVER_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Starts the server, and writes a client configuration with its address to `config`. Returns the socket.
 * The configuration accepts repeated ids, because tests that respond on the socket return one id. */
static inline int silent_server(char *config, size_t size) {
    struct sockaddr_in address;
    socklen_t len = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, len) != 0 || listen(fd, 4096) != 0 ||
        getsockname(fd, (struct sockaddr *)&address, &len) != 0) {
        return -1;
    }
    snprintf(config, size, "{\"sms_url\":\"http://127.0.0.1:%d\",\"sms_key\":\"k\",\"max_attempts\":1,\"accept_repeated_ids\":true}",
             ntohs(address.sin_port));
    return fd;
}

/* Accepts the waiting connections; returns the number of connections that contain a request. */
static inline int requests_at(int fd) {
    struct pollfd waiting = {fd, POLLIN, 0};
    char data[4096];
    int count = 0;
    while (poll(&waiting, 1, 0) > 0) {
        int connection = accept(fd, NULL, NULL);
        if (connection < 0) break;
        count += recv(connection, data, sizeof data, MSG_DONTWAIT) > 0;
        close(connection);
    }
    return count;
}

#define SMS "{\"from\":\"Acme\",\"to\":\"306912345678\",\"text\":\"Hi\"}"

#endif
