import Glibc

/// A TCP socket of the origin; blocking, used by one thread, shut down by any.
struct OriginSocket: Sendable {
    let descriptor: Int32

    /// The refusal of the system, and its reason.
    struct Failure: Error, CustomStringConvertible {
        var call: String
        var number = errno

        var description: String { "\(call): \(String(cString: strerror(number)))" }
    }

    /// Listens at an address, and says at which port; 0 takes any that is free.
    ///
    /// `::` takes IPv4, too.
    static func listen(at address: String, port: UInt16) throws -> (OriginSocket, UInt16) {
        guard var name = OriginAddress(address, port: port) else { throw Failure(call: "inet_pton") }
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(name.family, kind, 0)
        guard descriptor >= 0 else { throw Failure(call: "socket") }
        let listener = OriginSocket(descriptor: descriptor)
        listener.set(SO_REUSEADDR, at: SOL_SOCKET)
        let result = name.withGenericAddress { generic, length -> Int32 in
            if bind(descriptor, generic, length) != 0 { return -1 }
            if Glibc.listen(descriptor, 1024) != 0 { return -1 }
            var length = length
            return getsockname(descriptor, generic, &length)
        }
        guard result == 0 else {
            let failure = Failure(call: "bind \(address):\(port)")
            listener.close()
            throw failure
        }
        return (listener, name.port)
    }

    /// Returns a connection to a port; nil where nobody listens there.
    static func connect(to address: String, port: UInt16) -> OriginSocket? {
        guard var name = OriginAddress(address, port: port) else { return nil }
        let descriptor = socket(name.family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        let connection = OriginSocket(descriptor: descriptor)
        guard name.withGenericAddress({ Glibc.connect(descriptor, $0, $1) }) == 0 else {
            connection.close()
            return nil
        }
        return connection
    }

    /// The next connection; nil once the listener is shut down.
    func accept() -> OriginSocket? {
        while true {
            let descriptor = Glibc.accept(descriptor, nil, nil)
            if descriptor >= 0 {
                _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
                let connection = OriginSocket(descriptor: descriptor)
                connection.set(TCP_NODELAY, at: Int32(IPPROTO_TCP))
                return connection
            }
            guard errno == EINTR || errno == ECONNABORTED else { return nil }
        }
    }

    /// The next bytes; nil at the end.
    func receive() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        let count = uninterrupted { recv(descriptor, &buffer, buffer.count, 0) }
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    /// Sends all of the bytes; false when the other side is gone.
    func send(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer
            while let base = rest.baseAddress, !rest.isEmpty {
                let count = uninterrupted {
                    Glibc.send(descriptor, base, rest.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return false }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
            return true
        }
    }

    /// Wakes whoever waits on the socket.
    func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Makes closing send a reset instead of an orderly end.
    func resetOnClose() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    }

    func close() { _ = Glibc.close(descriptor) }

    private func set(_ option: Int32, at level: Int32) {
        var on: Int32 = 1
        setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
    }
}
