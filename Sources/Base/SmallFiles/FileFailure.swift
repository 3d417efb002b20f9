import Glibc

/// The reason why a file can't be read or written.
public enum FileFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The system's error number.
    case system(Int32)
    /// It is something other than a regular file.
    case notRegular
    /// It has more than this many bytes.
    case tooLong(Int)

    /// The reason in few words, the system's where they are known.
    public var description: String {
        switch self {
        case .system(let number): String(cString: strerror(number))
        case .notRegular: "it is not a regular file"
        case .tooLong(let limit): "it has more than \(limit) bytes"
        }
    }

    /// The reason why a file isn't read, as a clause.
    public var words: String {
        if case .system = self { "it can't be read (\(self))" } else { description }
    }

    /// The nearest error number of the system.
    public var number: Int32 {
        switch self {
        case .system(let number): number
        case .notRegular: EINVAL
        case .tooLong: EFBIG
        }
    }
}
