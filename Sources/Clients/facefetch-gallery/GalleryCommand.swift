import ArgumentParser
import ControlAPI
import Glibc

/// `facefetch-gallery`: serves the gallery to the person who has started it.
@main
struct GalleryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "facefetch-gallery",
        abstract: "Shows pictures, faces, work and log in a browser.",
        discussion: """
            Started by "facefetch gallery". The first line of output is the address to open; it works once, \
            and for a minute. Enter prints a new one. Only browsers of the user who has started it get in, \
            and what they ask for is asked of the daemon as that user.

            From another machine, forward a fixed port: "facefetch gallery --port 8080 --no-browser" there, \
            "ssh -L 8080:127.0.0.1:8080 HOST" here, and open the address here. The number is the same at both \
            ends, since it is in the address. Or have it listen for others: --listen with an address of the \
            machine, and --host with the name that browsers use. That is plain HTTP, which the network can read.

            EXIT STATUS
              0  ended by Ctrl-C, or because nobody used it any more
              1  it can't listen, or its page is not installed
              2  bad usage
            """,
        version: "facefetch-gallery \(ProductVersion.current)"
    )

    @Option(help: ArgumentHelp("The daemon's control socket.", valueName: "path"), completion: .file())
    var socket: String

    @OptionGroup var options: GalleryOptions

    @Option(help: .hidden)
    var page: String?

    func run() async throws {
        let library = page == nil ? PageFolder.findLibrary() : nil
        guard let folder = page ?? PageFolder.find(),
            let files = PageFiles(folder: folder, library: library)
        else {
            throw Failure("the gallery's page is not installed; it belongs in share/facefetch/gallery")
        }
        let peers = options.listen == nil ? LoopbackPeer() : nil
        guard options.listen != nil || peers != nil else {
            throw Failure(
                "nobody else could be kept out, since whose connections come can't be known: the kernel doesn't "
                    + "say it (sock_diag), and \(SocketTable.paths[0]) can't be read; mount /proc"
            )
        }
        try await Gallery(options: options, socket: socket, files: files, peers: peers).run()
    }

    /// The reason why there is no gallery.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    /// As ArgumentParser's own, but bad usage ends with 2, not with sysexits' 64.
    static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let failure as Failure {
            Terminal.note(failure.description)
            Glibc.exit(1)
        } catch {
            let status = exitCode(for: error)
            if status == .validationFailure {
                // Who has started it knows it by this name.
                Terminal.note("\(message(for: error)). See \"facefetch gallery --help\".")
                Glibc.exit(2)
            }
            let text = fullMessage(for: error)
            if status.isSuccess { Terminal.line(text) } else { Terminal.note(text) }
            Glibc.exit(status.rawValue)
        }
    }
}
