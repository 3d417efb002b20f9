import Glibc
import NIOCore
import Synchronization

/// A gallery, from its start to its end.
struct Gallery {
    let options: GalleryOptions
    let socket: String
    let files: PageFiles
    /// Knows whose connections are; nil where others may come, too.
    let peers: LoopbackPeer?

    /// Serves until somebody ends it, or nobody uses it any more.
    ///
    /// - Throws: ``GalleryCommand/Failure`` where it can't listen.
    func run() async throws {
        // A browser that goes in the middle of an answer ends that answer, not us.
        signal(SIGPIPE, SIG_IGN)
        let signals = StopSignals()
        let address = options.listen ?? "127.0.0.1"
        let server: GalleryServer
        do {
            server = try await GalleryServer(
                address: address,
                port: options.port,
                peers: peers
            )
        } catch {
            let port = options.port == 0 ? "" : ":\(options.port)"
            let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
            throw GalleryCommand.Failure(
                "can't listen on \(address)\(port): \(reason); choose another --port"
            )
        }
        let invitation = Invitation()
        let activity = Activity()
        let file = Mutex<String?>(nil)
        let link = Link(host: options.host ?? "127.0.0.1", port: server.port, invitation: invitation)
        server.serve(
            Gateway(
                rules: GalleryAdmission.Rules(
                    hosts: OwnHosts(port: server.port, name: options.host),
                    session: Session(port: server.port),
                    files: files.paths
                ),
                invitation: invitation,
                files: files,
                socket: socket,
                activity: activity,
                entered: { Self.remove(file) }
            )
        )
        tell(link, file)
        Keyboard.onEnter { Terminal.line(link.new()) }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await signals.wait() }
            group.addTask { await activity.awaitQuiet(for: options.quiet) }
            await group.next()
            group.cancelAll()
        }
        server.close()
        Self.remove(file)
        Glibc.exit(0)
    }

    private func tell(_ link: Link, _ file: borrowing Mutex<String?>) {
        let address = link.new()
        Terminal.line(address)
        if options.listen != nil {
            Terminal.note(
                "what goes over the network is plain HTTP, which others there can read; "
                    + "better forward a port with ssh -L, or put a server with TLS in front"
            )
        }
        var hint = "open this address within a minute; Enter prints a new one, Ctrl-C ends the gallery"
        if !options.noBrowser {
            let runtime = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) }
            if let opened = Browser.open(address, runtimeDirectory: runtime) {
                file.withLock { $0 = opened }
                hint = "your browser opens it; Enter prints a new address, Ctrl-C ends the gallery"
            }
        }
        if isatty(STDERR_FILENO) == 1 { Terminal.note(hint) }
    }

    private static func remove(_ file: borrowing Mutex<String?>) {
        if let path = file.withLock({ $0.take() }) { unlink(path) }
    }

    /// Makes addresses to open.
    private struct Link: Sendable {
        let host: String
        let port: Int
        let invitation: Invitation

        /// A new address; the one before it works no more.
        func new() -> String { "http://\(host):\(port)/#\(invitation.renew())" }
    }
}
