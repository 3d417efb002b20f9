#ifndef DEAFSOCKETS_H
#define DEAFSOCKETS_H

// Connections that a program stops reading, as libcurl now and then does: preload this library (LD_PRELOAD, ld.so(8)),
// and say which in DEAF_SOCKETS,
//
//     8443 60000 2
//
// is: the first two TCP connections to port 8443, each after 60,000 bytes. From then on, recv(2) has nothing of such a
// connection, and poll(2) says that nothing has come, be it bytes or its end. Once the program shuts the connection
// down, it hears that. Everything else goes to the system.

// The variable that says which connections.
#define DEAF_SOCKETS "DEAF_SOCKETS"

#endif
