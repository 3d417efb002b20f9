import Glibc

/// Standard input, output and error, as descriptors.
enum StandardStreams {
    /// Writes a text; gives up silently if nobody reads, in which case SIGPIPE would end the process
    /// anyway.
    static func write(_ text: String, to descriptor: Int32) {
        _ = write(Array(text.utf8), to: descriptor)
    }

    /// Writes all bytes; returns false if the other side has gone.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            written += count
        }
        return true
    }

    /// Reads what is available, waiting for at least one byte; empty at the end.
    static func read(from descriptor: Int32, into buffer: inout [UInt8]) -> ArraySlice<UInt8> {
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            return buffer.prefix(max(0, count))
        }
    }

    /// Reads exactly `count` bytes; nil if there are fewer.
    static func read(_ count: Int, from descriptor: Int32) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let got = Glibc.read(descriptor, buffer.baseAddress.map { $0 + filled }, count - filled)
                if got < 0, errno == EINTR { continue }
                guard got > 0 else { return }
                filled += got
            }
        }
        return bytes.count == count ? bytes : nil
    }

    /// Waits for the other side to close; returns false if it sends something instead.
    static func isAtEnd(_ descriptor: Int32) -> Bool {
        var byte = [UInt8](repeating: 0, count: 1)
        return read(from: descriptor, into: &byte).isEmpty
    }

    /// Moves standard output to another descriptor, so that nothing a library prints gets between our
    /// frames; such output goes to standard error.
    static func reserveOutput() -> Int32 {
        let output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
        guard output >= 0 else { return STDOUT_FILENO }
        dup2(STDERR_FILENO, STDOUT_FILENO)
        return output
    }
}
