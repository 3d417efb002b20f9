import Glibc

/// Complete reads and writes on descriptors.
public enum Streams {
    /// Writes all bytes; returns false if the other side has gone.
    @discardableResult
    public static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                let place = buffer.baseAddress.map { $0 + written }
                let count = Glibc.write(descriptor, place, buffer.count - written)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                written += count
            }
            return true
        }
    }

    /// Writes a line for a person; gives up silently if nobody reads.
    public static func say(_ line: String, to descriptor: Int32) {
        write(Array((line + "\n").utf8), to: descriptor)
    }

    /// Reads what is available, waiting for at least one byte; empty at the end.
    public static func read(from descriptor: Int32, into buffer: inout [UInt8]) -> ArraySlice<UInt8> {
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            return buffer.prefix(max(0, count))
        }
    }

    /// Reads exactly `count` bytes; nil if there are fewer.
    public static func read(_ count: Int, from descriptor: Int32) -> [UInt8]? {
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
    public static func isAtEnd(_ descriptor: Int32) -> Bool {
        var byte = [UInt8](repeating: 0, count: 1)
        return read(from: descriptor, into: &byte).isEmpty
    }

    /// Moves standard output to another descriptor, so that nothing a library prints gets between our
    /// frames; such output goes to standard error.
    public static func reserveOutput() -> Int32 {
        let output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
        guard output >= 0 else { return STDOUT_FILENO }
        dup2(STDERR_FILENO, STDOUT_FILENO)
        return output
    }
}
