import Glibc
import ListerProtocol
import Vocabulary

/// Complete reads and writes on descriptors.
enum Streams {
    /// Writes all bytes; returns false if the other side has gone.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                let count = Glibc.write(
                    descriptor,
                    buffer.baseAddress.map { $0 + written },
                    buffer.count - written
                )
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                written += count
            }
            return true
        }
    }

    /// Writes a line for a person.
    static func say(_ line: String, to descriptor: Int32) {
        _ = write(Array((line + "\n").utf8), to: descriptor)
    }

    /// Reads what is available, waiting for at least one byte; empty at the end.
    static func read(_ descriptor: Int32, _ buffer: inout [UInt8]) -> ArraySlice<UInt8> {
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            return buffer.prefix(max(0, count))
        }
    }

    /// Reads exactly `count` bytes; nil if there are fewer.
    static func exactly(_ count: Int, _ descriptor: Int32) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var piece = [UInt8](repeating: 0, count: min(count - bytes.count, 1 << 16))
            let read = read(descriptor, &piece)
            if read.isEmpty { return nil }
            bytes += read
        }
        return bytes
    }

    /// Reads exactly one frame; nil if there is none.
    static func frame(_ descriptor: Int32) -> ListerFrame? {
        guard let start = exactly(4, descriptor) else { return nil }
        let length = start.reduce(0) { $0 << 8 | Int($1) }
        guard length <= ListerFrame.Kind.recipe.maximumLength, let rest = exactly(length, descriptor) else {
            return nil
        }
        var reader = ListerFrameReader()
        reader.append(start + rest)
        return try? reader.next()
    }
}

extension String {
    /// Without what could steer a terminal or hide what it says: pages are strangers' words, and so is
    /// much of what jq and expat say of them.
    var plain: String {
        var plain = UnicodeScalarView()
        for scalar in unicodeScalars { plain.append(scalar.steersTerminal ? "\u{FFFD}" : scalar) }
        return String(plain)
    }
}
