import HTTPTypes

/// The head of a request to a server of ours, as a trial is given it: method and path, then a field on each
/// line, of which `Host` is the authority.
struct RequestLines {
    /// The head.
    let head: HTTPRequest

    /// Reads a head; nil where no parser of HTTP would have passed it on.
    ///
    /// - Parameters:
    ///   - authority: The host, where no line names it.
    ///   - expand: Returns a path or a field's value, where that stands for something that the bytes can't know.
    init?(_ bytes: [UInt8], authority: String, expand: (String) -> String = { $0 }) {
        let lines = bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        guard let words = lines.first?.split(separator: " ", maxSplits: 1), words.count == 2,
            let method = HTTPRequest.Method(rawValue: String(words[0])),
            words[1].utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { return nil }
        let path = expand(String(words[1]))
        var head = HTTPRequest(method: method, scheme: "http", authority: authority, path: path)
        for line in lines.dropFirst() {
            guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            let value = expand(String(line[line.utf8.index(after: colon)...].drop { $0 == " " }))
            let name = String(line[..<colon])
            if name.lowercased() == "host" {
                head.authority = value
            } else if let name = HTTPField.Name(name) {
                head.headerFields.append(HTTPField(name: name, value: value))
            }
        }
        self.head = head
    }
}
