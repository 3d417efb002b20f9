import Foundation

/// The system calls of a program, as strace(1) saw them.
struct SystemCalls {
    /// One call that went well.
    struct Call {
        /// Its name.
        var name: String
        /// Its arguments as strace writes them, descriptors with their paths.
        var arguments: String
        /// The lines where it begins and ends, among all of them.
        var begin: Int
        var end: Int
    }

    /// The path of strace; nil if it isn't installed, so that tests can skip visibly.
    static let executable: String? = ["/usr/bin/strace", "/bin/strace"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// The calls, by where they begin.
    private(set) var calls: [Call] = []

    /// Reads what `strace -f -y` wrote.
    init(text: String) {
        var open: [Substring: (name: String, arguments: String, begin: Int)] = [:]
        for (number, line) in text.split(separator: "\n").enumerated() {
            // "1234  fsync(5</a/b>) = 0", or in two halves where other threads came between.
            let words = line.split(separator: " ", maxSplits: 1)
            guard words.count == 2 else { continue }
            let (thread, rest) = (words[0], words[1].drop { $0 == " " })
            if rest.hasPrefix("<... ") {
                guard let half = open.removeValue(forKey: thread), rest.wentWell else { continue }
                calls.append(
                    Call(name: half.name, arguments: half.arguments, begin: half.begin, end: number)
                )
                continue
            }
            guard let bracket = rest.firstIndex(of: "(") else { continue }
            let (name, arguments) = (String(rest[..<bracket]), String(rest[bracket...]))
            if rest.hasSuffix("<unfinished ...>") {
                open[thread] = (name, arguments, number)
            } else if rest.wentWell {
                calls.append(Call(name: name, arguments: arguments, begin: number, end: number))
            }
        }
        calls.sort { $0.begin < $1.begin }
    }

    /// The first call of one of these names that begins after a line, and whose arguments have all of these.
    func first(_ names: String..., after line: Int = -1, with parts: String...) -> Call? {
        calls.first { call in
            call.begin > line && names.contains(call.name) && parts.allSatisfy(call.arguments.contains)
        }
    }
}

extension Substring {
    /// True if the line ends with a result that is no error.
    fileprivate var wentWell: Bool {
        guard let result = range(of: " = ", options: .backwards) else { return false }
        return !self[result.upperBound...].hasPrefix("-1 ")
    }
}
