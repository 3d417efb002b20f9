import Glibc
import Vocabulary

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
