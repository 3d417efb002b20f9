import ArgumentParser
import Glibc

/// `facefetch gallery`: pictures, work and log in a browser.
struct Gallery: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gallery",
        abstract: "Shows pictures, faces, work and log in a browser.",
        discussion: """
            The first line of output is the address to open; it works once, and for a minute. Enter prints \
            a new one, Ctrl-C ends the gallery. It listens on this machine only, lets only your own browser \
            in, and asks the daemon as you.

            From another machine, forward its port: with "facefetch gallery --port 8080 --no-browser" \
            there, and "ssh -L 8080:127.0.0.1:8080 HOST" here, open the address here. The number is the same at \
            both ends, since it is in the address.

            Or have it listen for others, in a network that you trust: --listen with an address of this \
            machine, and --host with the name that browsers reach it by. That is plain HTTP, so whoever \
            reads the network reads along, and whoever gets hold of a link gets in.

            EXAMPLES
              facefetch gallery                     open it in the browser
              facefetch gallery --no-browser        only print the address
              facefetch gallery --for 8h            keep it for a working day
              facefetch gallery --listen 192.168.1.5 --host nas.lan --port 8080
            """
    )

    @OptionGroup var connection: ConnectionOptions

    @Option(help: ArgumentHelp("The port to listen on; any free one unless given.", valueName: "n"))
    var port: Int?

    @Flag(help: "Opens no browser; only prints the address.")
    var noBrowser = false

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "Ends after so long without use, such as 30m or 2h; an hour unless given.",
            valueName: "duration"
        )
    )
    var quiet: String?

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

    func run() throws {
        let program = try Self.program()
        let client = try connection.client()
        do {
            _ = try client.status()
        } catch let error as ClientError where error.status == .unreachable {
            // The page shows what is there as soon as it is there.
            Output.note("\(error.message) The gallery waits for it.")
        } catch {
            // What else the daemon has to say is said on the page.
        }
        var arguments = [program, "--socket", client.socketPath]
        if let port { arguments += ["--port", String(port)] }
        if noBrowser { arguments.append("--no-browser") }
        for (flag, value) in [("--for", quiet), ("--listen", listen), ("--host", host)] {
            if let value { arguments += [flag, value] }
        }
        // The other program takes this one's place: terminal, signals and all.
        let words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        execv(program, words)
        throw ClientError.unsuccessful("\(program) can't be started: \(String(cString: strerror(errno))).")
    }

    /// Returns the path of the gallery's program: beside this one, or where packages put it.
    private static func program() throws(ClientError) -> String {
        let name = "facefetch-gallery"
        var directory = "/usr/bin"
        if let path = realpath("/proc/self/exe", nil) {
            let text = String(cString: path)
            free(path)
            directory = String(text[..<(text.lastIndex(of: "/") ?? text.endIndex)])
        }
        let candidates = [
            "\(directory)/\(name)", "\(directory)/../libexec/facefetch/\(name)",
            "/usr/libexec/facefetch/\(name)",
        ]
        if let path = candidates.first(where: { access($0, X_OK) == 0 }) { return path }
        throw .unsuccessful(
            "The program \(name) is not beside \(directory)/facefetch; install both in one directory."
        )
    }
}
