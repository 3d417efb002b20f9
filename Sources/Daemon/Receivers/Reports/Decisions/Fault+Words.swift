extension Fault {
    /// Words that make two faults the same one to a receiver, from the general to the particular.
    ///
    /// Receivers group by this, so it stays the same over versions.
    var fingerprint: [String] {
        switch self {
        case .childEnded(let child, let end, let picture):
            [kind, child.rawValue, end.word] + (picture.map { [$0.format.rawValue] } ?? [])
        case .storeSetAside(let damage): [kind, damage.rawValue]
        case .publishFailed(let step, let error, let number):
            [kind, step.rawValue, error.rawValue] + (number.map { [ErrorName.of($0)] } ?? [])
        case .transferAtRest: [kind]
        case .partsStuck(let parts), .endedWhileStuck(let parts): [kind] + parts.map(\.rawValue)
        }
    }

    /// The kind of fault, in one word.
    var kind: String {
        switch self {
        case .childEnded: "child_ended"
        case .storeSetAside: "store_set_aside"
        case .publishFailed: "publish_failed"
        case .transferAtRest: "transfer_at_rest"
        case .partsStuck: "part_stuck"
        case .endedWhileStuck: "ended_while_stuck"
        }
    }

    /// A sentence that says what happened.
    public var sentence: String {
        switch self {
        case .childEnded(let child, let end, let picture):
            "a \(child.rawValue) \(end.sentence)"
                + (picture.map { " at a picture (\($0.format.rawValue), \($0.bytes) bytes)" } ?? "")
        case .storeSetAside(let damage):
            "the job store was \(damage == .malformed ? "damaged" : "not a database") and was set aside"
        case .publishFailed(let step, let error, let number):
            "a complete file could not be \(step == .seal ? "made durable" : "published"): \(error.rawValue)"
                + (number.map { " (\(ErrorName.of($0)))" } ?? "")
        case .transferAtRest: "a transfer waited for nothing, and was ended for that"
        case .partsStuck(let parts): "\(Self.list(parts)) did not answer in time"
        case .endedWhileStuck(let parts):
            "the daemon was ended, by its watchdog or otherwise, while \(Self.list(parts)) did not answer"
        }
    }

    /// True if the daemon itself, and not only a part of its work, has ended or lost something.
    var isFatal: Bool {
        switch self {
        case .storeSetAside, .endedWhileStuck: true
        case .childEnded, .publishFailed, .transferAtRest, .partsStuck: false
        }
    }

    /// Facts about it beside the sentence, in words of our own.
    var tags: [String: String] {
        var tags = ["fault": kind]
        switch self {
        case .childEnded(let child, let end, let picture):
            tags["child"] = child.rawValue
            tags["end"] = end.word
            tags["format"] = picture?.format.rawValue
        case .storeSetAside(let damage): tags["damage"] = damage.rawValue
        case .publishFailed(let step, let error, let number):
            (tags["step"], tags["error"]) = (step.rawValue, error.rawValue)
            tags["errno"] = number.map(ErrorName.of)
        case .transferAtRest: break
        case .partsStuck(let parts), .endedWhileStuck(let parts): tags["part"] = Self.list(parts)
        }
        return tags
    }

    private static func list(_ parts: [Part]) -> String {
        parts.isEmpty ? "a part" : parts.map(\.rawValue).joined(separator: " and ")
    }
}

extension Fault.ChildEnd {
    /// One word for it.
    var word: String {
        switch self {
        case .signal(let number): Self.name(number)
        case .decoderSignal(let number): "decoder " + Self.name(number)
        case .status(let status): "status \(status)"
        case .notStarted: "not started"
        case .misbehaved: "misbehaved"
        }
    }

    fileprivate var sentence: String {
        switch self {
        case .signal(let number): "was ended by \(Self.name(number))"
        case .decoderSignal(let number): "ended because its decoder was ended by \(Self.name(number))"
        case .status(let status): "ended with status \(status)"
        case .notStarted: "could not be started"
        case .misbehaved: "broke the protocol and was stopped"
        }
    }

    /// The name of a signal that ends programs; others have numbers (signal(7), for x86 and ARM).
    private static func name(_ number: Int32) -> String {
        let names: [Int32: String] = [
            1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS",
            8: "SIGFPE", 9: "SIGKILL", 11: "SIGSEGV", 13: "SIGPIPE", 15: "SIGTERM", 24: "SIGXCPU",
            25: "SIGXFSZ", 31: "SIGSYS",
        ]
        return names[number] ?? "signal \(number)"
    }
}

/// The names of error numbers that work on files ends with (errno(3); the numbers are those of x86 and ARM,
/// asm-generic/errno.h).
private enum ErrorName {
    private static let names: [Int32: String] = [
        1: "EPERM", 2: "ENOENT", 4: "EINTR", 5: "EIO", 6: "ENXIO", 9: "EBADF", 11: "EAGAIN", 12: "ENOMEM",
        13: "EACCES", 16: "EBUSY", 17: "EEXIST", 18: "EXDEV", 19: "ENODEV", 20: "ENOTDIR", 21: "EISDIR",
        22: "EINVAL", 23: "ENFILE", 24: "EMFILE", 26: "ETXTBSY", 27: "EFBIG", 28: "ENOSPC", 30: "EROFS",
        31: "EMLINK", 36: "ENAMETOOLONG", 38: "ENOSYS", 39: "ENOTEMPTY", 40: "ELOOP", 75: "EOVERFLOW",
        84: "EILSEQ", 95: "EOPNOTSUPP", 105: "ENOBUFS", 107: "ENOTCONN", 110: "ETIMEDOUT", 112: "EHOSTDOWN",
        116: "ESTALE", 117: "EUCLEAN", 121: "EREMOTEIO", 122: "EDQUOT",
    ]

    /// Returns the name of a number; others have the number itself.
    static func of(_ number: Int32) -> String { names[number] ?? "errno \(number)" }
}
