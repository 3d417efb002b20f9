import Vocabulary

/// The settings of single hosts, which are under their names under `hosts`.
enum HostKeys {
    /// The rows in the order of the table.
    static let rows = [pace.row, perHost.row, rateLimit.row, headers.row, cookies.row].map { row in
        var row = row
        // Whatever isn't said of a host holds for it as for all.
        row.fallback = ""
        return row
    }

    /// The names of the settings.
    static let names = rows.map { String($0.key.split(separator: ".").last ?? "") }

    /// The most hosts that may be named.
    static let mostHosts = 200

    static let pace = Keys.requestPace(
        "hosts.NAME.pace",
        "As transfer.pace, which is the default, for this host. NAME is a host on any of its ports, or \"*.NAME\", in "
            + "quotation marks, for all under it: of the names that fit a host the longest counts, and no other."
    )
    static let perHost = Keys.integer(
        "hosts.NAME.per-host",
        1...1000,
        fallback: 6,
        "As transfer.per-host, which is the default, for this host; it is asked no more at once, over however few "
            + "connections (transfer.streams)."
    )
    static let rateLimit = Keys.size(
        "hosts.NAME.rate-limit",
        0...1 << 50,
        unit: "bytes a second",
        fallback: "0",
        "The maximum speed of all transfers from this host together; 0 for no limit of its own."
    )
    static let headers = secret(
        "hosts.NAME.headers",
        "The secret with header fields for this host, one a line, such as Authorization: Bearer TOKEN. Requests that "
            + "have a field of that name themselves keep theirs. Redirects take them to no other host, and over http: "
            + "to none but that of a URL that was given with http:. A change of the secret takes effect with the next "
            + "reload."
    )
    static let cookies = secret(
        "hosts.NAME.cookies",
        "The secret with cookies for this host: a cookies.txt as browsers' extensions write it, of which those for "
            + "other hosts are left out."
    )

    private static func secret(_ name: String, _ meaning: String) -> SettingKey<String?> {
        SettingKey(
            name: name,
            type: "text",
            fallback: "",
            meaning: meaning,
            expected:
                "the name of a file in secrets.directory, of letters, digits, dashes, underscores and dots"
        ) { raw in
            guard let text = raw.text, (1...128).contains(text.utf8.count), !text.hasPrefix("."),
                text.utf8.allSatisfy(isPlain)
            else { return nil }
            return .some(text)
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-_.".utf8.contains(byte)
        }
    }
}
