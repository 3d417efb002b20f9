/// The names under which a gallery is asked for, and no other.
///
/// A web page can make its own name stand for 127.0.0.1 and so ask a server here from within a browser
/// (DNS rebinding). It can't make the browser say another name than its own.
struct OwnHosts: Hashable, Sendable {
    private let names: Set<String>

    /// The names of a gallery at a port; `name` is one that it is reached by from elsewhere, which may
    /// have another port there.
    init(port: Int, name: String? = nil) {
        var names: Set<String> = ["127.0.0.1:\(port)", "localhost:\(port)", "[::1]:\(port)"]
        // Browsers leave this one out.
        if port == 80 { names.formUnion(["127.0.0.1", "localhost", "[::1]"]) }
        if let name { names.formUnion([name.lowercased(), "\(name.lowercased()):\(port)"]) }
        self.names = names
    }

    /// Returns whether a Host can be one at all: an empty one, or a name or an address, perhaps with a port.
    static func isHost(_ host: String) -> Bool {
        host.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "%"), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
                true
            default: false
            }
        }
    }

    /// Returns whether a Host is one of them.
    func have(_ host: String?) -> Bool { host.map { names.contains($0.lowercased()) } ?? false }
}
