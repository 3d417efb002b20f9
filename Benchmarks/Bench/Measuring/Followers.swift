import Foundation
import Glibc

/// Clients that follow a daemon's events: all but one of them read what comes.
final class Followers {
    private let connections: [ControlConnection]
    private let thread: Thread
    private let ended = DispatchSemaphore(value: 0)
    private let stopPipe: (read: Int32, write: Int32)

    /// Connects so many, the last of which never reads.
    init(_ count: Int, of daemon: Facefetch) throws {
        var connections: [ControlConnection] = []
        for _ in 0..<count {
            let connection = try daemon.connection()
            try connection.send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            connections.append(connection)
        }
        self.connections = connections
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw BenchError.failed("there is no pipe") }
        stopPipe = (ends[0], ends[1])
        let descriptors = connections.dropLast().map(\.descriptor) + [ends[0]]
        thread = Thread { [ended] in
            Self.read(descriptors)
            ended.signal()
        }
        thread.start()
    }

    /// Ends the reading.
    func stop() {
        _ = Glibc.write(stopPipe.write, [1], 1)
        ended.wait()
        close(stopPipe.read)
        close(stopPipe.write)
    }

    /// Reads from all of them until the last has something.
    private static func read(_ descriptors: [Int32]) {
        var polls = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while let stop = polls.last, stop.revents == 0 {
            guard poll(&polls, nfds_t(polls.count), -1) >= 0 else { return }
            for index in polls.indices.dropLast() where polls[index].revents != 0 {
                // One that has ended is not asked again.
                if recv(polls[index].fd, &buffer, buffer.count, 0) <= 0 { polls[index].fd = -1 }
            }
        }
    }
}
