import Foundation

/// What is said between a source and its server, as a file in Tests/Recipes has it: requests, each with its answer
/// and with what a recipe should find there.
///
/// An exchange begins with a line such as `GET https://h.example/list`, and goes on with a line `<= BODY` where
/// a body is sent, a status line if it isn't 200, header fields, an empty line, the body, and lines of what is
/// expected: `=> {…}` for an item, `=> slice {…}` for a slice, `=> next URL`, `=> total N` and `=> end`.
public struct RecipePlay: Sendable {
    /// One request, its answer, and what is expected.
    public struct Exchange: Sendable {
        /// The method, and the URL with `{name}` in place of a secret.
        public var method: String
        public var url: String
        /// The body that is sent, as JSON; nil for none.
        public var sent: String?
        /// The answer's status, header fields and body.
        public var status = 200
        public var fields: [(name: String, value: String)] = []
        public var body = ""
        /// The expected items, each as an object with some of its members.
        public var items: [String] = []
        /// The expected slices, likewise, if this is a list of slices.
        public var slices: [String]?
        /// The expected next page; nil if none is named.
        public var next: String?
        /// The expected number of items in all; nil if none is named.
        public var total: Int?
        /// True if the list is expected to end here.
        public var isEnd = false
    }

    /// The exchanges, in the order in which a walk has them.
    public let exchanges: [Exchange]

    /// Reads a play.
    public init(_ text: String) {
        var exchanges: [Exchange] = []
        var isInHead = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            if words.count == 2, ["GET", "POST"].contains(words[0]), words[1].hasPrefix("http") {
                exchanges.append(Exchange(method: words[0], url: words[1]))
                isInHead = true
                continue
            }
            guard var exchange = exchanges.popLast() else { continue }
            if isInHead {
                isInHead = !line.isEmpty
                exchange.addHead(line)
            } else if line.hasPrefix("=> ") {
                exchange.expect(String(line.dropFirst(3)))
            } else {
                exchange.body += line + "\n"
            }
            exchanges.append(exchange)
        }
        for place in exchanges.indices {
            let body = exchanges[place].body
            exchanges[place].body = body.trimmingCharacters(in: .newlines)
        }
        self.exchanges = exchanges
    }

    /// Reads the play of a recipe in the folder of plays.
    public init(contentsOf path: String) throws {
        self.init(try String(contentsOfFile: path, encoding: .utf8))
    }
}

extension RecipePlay.Exchange {
    fileprivate mutating func addHead(_ line: Substring) {
        if line.hasPrefix("<= ") {
            sent = String(line.dropFirst(3))
        } else if line.hasPrefix("HTTP/") {
            status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        } else if let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            fields.append((String(line[..<colon]), String(value)))
        }
    }

    fileprivate mutating func expect(_ text: String) {
        if text.hasPrefix("{") {
            items.append(text)
        } else if text.hasPrefix("slice ") {
            slices = (slices ?? []) + [String(text.dropFirst(6))]
        } else if text.hasPrefix("next ") {
            next = String(text.dropFirst(5))
        } else if text.hasPrefix("total ") {
            total = Int(text.dropFirst(6))
        } else if text == "end" {
            isEnd = true
        } else {
            // What no reader knows must not pass for an expectation that was met.
            items.append("{\"unknown expectation\": \"\"}")
        }
    }

    /// The answer's head, as curl would save it.
    public var head: String {
        fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n") + "\n"
    }
}
