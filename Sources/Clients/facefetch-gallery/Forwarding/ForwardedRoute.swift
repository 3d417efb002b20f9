import HTTPTypes

/// Something of the control socket that a gallery passes on: what its page needs, and nothing else.
struct ForwardedRoute: Hashable, Sendable {
    /// The kind of an answer, for the header fields around it.
    enum Kind: Hashable, Sendable {
        case data, events, picture, document
    }

    /// The kind of the answer.
    let kind: Kind

    /// Routes on the control socket: words, `#` for an id, `*` for a name.
    private static let routes: [(HTTPRequest.Method, String, Kind)] = [
        (.get, "/v1/status", .data),
        (.get, "/v1/jobs", .data),
        (.get, "/v1/hosts", .data),
        (.post, "/v1/hosts/release", .data),
        (.post, "/v1/jobs/forget", .data),
        (.get, "/v1/jobs/#", .data),
        (.patch, "/v1/jobs/#", .data),
        (.get, "/v1/jobs/#/document", .document),
        (.get, "/v1/jobs/#/similar", .data),
        (.get, "/v1/jobs/#/picture/thumb", .picture),
        (.get, "/v1/jobs/#/picture/medium", .picture),
        (.get, "/v1/jobs/#/picture/large", .picture),
        (.get, "/v1/batches", .data),
        (.post, "/v1/batches", .data),
        (.get, "/v1/batches/#", .data),
        (.get, "/v1/documents/index", .data),
        (.get, "/v1/events", .events),
        (.post, "/v1/detection/hold", .data),
        (.post, "/v1/detection/release", .data),
        (.put, "/v1/attention/*", .data),
        (.get, "/v1/sources", .data),
        (.get, "/v1/sources/*", .data),
    ]

    private static let steering: [String: Set<String>] = [
        "jobs": ["pause", "resume", "cancel", "retry", "detect"],
        "batches": ["pause", "resume", "cancel"],
        "sources": ["poll", "more", "pause", "resume"],
    ]

    /// The route of a request; nil for what isn't passed on.
    init?(_ method: HTTPRequest.Method, path: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        if method == .post, Self.steers(parts) {
            kind = .data
            return
        }
        let looked: HTTPRequest.Method = method == .head ? .get : method
        for (known, template, kind) in Self.routes where known == looked {
            guard Self.matches(parts, template) else { continue }
            // The stream of events has no end to leave out.
            guard kind != .events || method == .get else { return nil }
            self.kind = kind
            return
        }
        return nil
    }

    private static func matches(_ parts: [Substring], _ template: String) -> Bool {
        let wanted = template.split(separator: "/", omittingEmptySubsequences: false)
        guard wanted.count == parts.count else { return false }
        return zip(wanted, parts).allSatisfy { want, part in
            switch want {
            case "#": isID(part)
            case "*": isName(part)
            default: want == part
            }
        }
    }

    /// `/v1/jobs/pause`, `/v1/jobs/7/pause`, `/v1/sources/NAME/poll`.
    private static func steers(_ parts: [Substring]) -> Bool {
        guard parts.count >= 4, parts[0].isEmpty, parts[1] == "v1",
            let words = steering[String(parts[2])], let last = parts.last, words.contains(String(last))
        else { return false }
        switch (parts[2], parts.count) {
        case ("jobs", 4): return true
        case ("jobs", 5), ("batches", 5): return isID(parts[3])
        case ("sources", 5): return isName(parts[3])
        default: return false
        }
    }

    private static func isID(_ part: Substring) -> Bool {
        (1...19).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// One plain word: nothing that could mean another path.
    private static func isName(_ part: Substring) -> Bool {
        (1...128).contains(part.utf8.count) && part != "." && part != ".."
            && part.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                    UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}
