import Glibc

/// The files below a directory, served as an honest server does.
public struct OriginDirectory: Sendable {
    private let root: String
    private let bytesPerSecond: Int?

    /// Serves what lies below `root`, at so many bytes a second for each connection.
    public init(root: String, bytesPerSecond: Int? = nil) {
        self.root = root
        self.bytesPerSecond = bytesPerSecond
    }

    /// The answer to a request: the file at its path, with a strong tag and a date, or 404.
    public func answer(to request: OriginRequest) -> OriginAnswer {
        guard let file = file(at: request.path) else {
            return OriginAnswer(404, [("Content-Type", "text/plain")], body: Array("no such file\n".utf8))
        }
        let answer = file.answer(to: request)
        return bytesPerSecond.map { answer.paced(bytesPerSecond: $0) } ?? answer
    }

    private func file(at path: String) -> OriginFile? {
        guard let name = Self.decode(path), !name.split(separator: "/").contains("..") else { return nil }
        var status = stat()
        guard stat(root + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let modified = status.st_mtim
        var file = OriginFile(
            path: root + name,
            count: Int(status.st_size),
            entityTag: "\"\(status.st_ino)-\(status.st_size)-\(modified.tv_sec)-\(modified.tv_nsec)\"",
            lastModified: Self.httpDate(modified.tv_sec),
            type: Self.type(of: name)
        )
        file.date = Self.httpDate(time(nil))
        return file
    }

    private static func decode(_ path: String) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(path.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
                value != 0
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func type(of name: String) -> String {
        let types = [
            "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "gif": "image/gif",
            "webp": "image/webp",
            "tif": "image/tiff", "tiff": "image/tiff", "html": "text/html", "txt": "text/plain",
        ]
        return types[name.split(separator: ".").last.map { $0.lowercased() } ?? ""]
            ?? "application/octet-stream"
    }

    /// The IMF-fixdate of a moment (RFC 9110 §5.6.7).
    static func httpDate(_ seconds: time_t) -> String {
        var seconds = seconds
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) "
            + "\(1900 + parts.tm_year) \(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
    }
}
