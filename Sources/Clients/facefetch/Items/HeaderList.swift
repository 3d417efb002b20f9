import Glibc
import Vocabulary

/// Reads header fields given on a command line.
enum HeaderList {
    /// Returns the values by name; `@FILE` stands for the fields in a file, one per line.
    ///
    /// The daemon decides whether they can be sent.
    ///
    /// - Throws: ``ClientError`` for text that isn't a field. The message contains no value, which may
    ///   be a secret.
    static func read(_ options: [String]) throws(ClientError) -> [String: String] {
        var headers: [String: String] = [:]
        for (index, option) in options.enumerated() {
            guard option.hasPrefix("@") else {
                try add(option, place: "--header \(index + 1)", to: &headers)
                continue
            }
            let path = String(option.dropFirst())
            let text = try TextFile.read(path, what: "The list of header fields")
            let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            for (number, line) in lines.map(String.init).enumerated()
            where !line.isEmpty && !line.hasPrefix("#") {
                try add(line, place: "\(path) line \(number + 1)", to: &headers)
            }
        }
        return headers
    }

    private static func add(
        _ line: String,
        place: String,
        to headers: inout [String: String]
    ) throws(ClientError) {
        let scalars = line.unicodeScalars
        guard let colon = scalars.firstIndex(of: ":"), colon != scalars.startIndex else {
            throw .usage("\(place.safeForTerminal) is not a header field: write it as 'Name: value'.")
        }
        let name = String(line[..<colon])
        guard !headers.keys.contains(where: { $0.lowercased() == name.lowercased() }) else {
            throw .usage("\(place.safeForTerminal): the header field \(name.safeForTerminal) is given twice.")
        }
        headers[name] = String(line[scalars.index(after: colon)...].drop { $0 == " " || $0 == "\t" })
    }
}

/// The cookies that a command line names a file of.
struct CookieList {
    private let file: CookieFile
    /// The time by which cookies have expired, in seconds since 1970.
    private let now = Int64(time(nil))

    /// Reads a cookies.txt.
    ///
    /// - Throws: ``ClientError`` for a file that is none. The message contains no value, which is a secret.
    init(file path: String) throws(ClientError) {
        let bytes = try TextFile.bytes(path, what: "The file of cookies")
        do throws(CookieFile.Wrong) {
            file = try CookieFile(bytes)
        } catch {
            throw .usage("\(path.safeForTerminal) line \(error.line): \(error.words).")
        }
    }

    /// Returns the cookies for a URL, as the text of a Cookie field; nil for none.
    func field(for url: String) -> String? { file.field(for: url, now: now) }
}
