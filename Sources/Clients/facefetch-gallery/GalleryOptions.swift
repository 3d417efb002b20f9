import ArgumentParser
import Vocabulary

/// Options of a gallery.
struct GalleryOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The port to listen on; any free one unless given.", valueName: "n"))
    var port = 0

    @Flag(help: "Opens no browser; only prints the address.")
    var noBrowser = false

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "Ends after so long without use, such as 30m or 2h; an hour unless given.",
            valueName: "duration"
        ),
        transform: Self.quietTime
    )
    var quiet = Duration.seconds(3600)

    @Option(
        help: ArgumentHelp(
            "Listens at this address of the machine instead of 127.0.0.1, for others to reach. Needs --host, too.",
            valueName: "address"
        )
    )
    var listen: String?

    @Option(
        help: ArgumentHelp(
            "The name that browsers reach that address by. Needs --listen, too.",
            valueName: "name"
        )
    )
    var host: String?

    func validate() throws {
        guard (0...65535).contains(port) else { throw ValidationError("--port is \(port); give 1 to 65535") }
        guard (listen == nil) == (host == nil) else {
            throw ValidationError(
                "--listen and --host belong together: whoever reaches the gallery from elsewhere needs its name"
            )
        }
        if let host, !Self.isHost(host) {
            throw ValidationError(
                "--host is \(host); give a name such as pictures.example.org, without a port"
            )
        }
    }

    /// Reads how long a gallery stays when nobody uses it; a number alone is in seconds.
    ///
    /// - Throws: `ValidationError`
    static func quietTime(_ text: String) throws -> Duration {
        let range = 1...366 * 86_400.0
        guard let seconds = DurationText.seconds(text, in: range) else {
            throw ValidationError("give \(DurationText.form(range))")
        }
        return .seconds(seconds)
    }

    /// Returns whether a text can be the host of an address: a name or an IPv4 address.
    private static func isHost(_ text: String) -> Bool {
        (1...253).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}
