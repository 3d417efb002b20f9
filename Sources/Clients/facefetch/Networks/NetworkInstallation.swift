import DetectorProtocol
import Glibc
import SmallFiles

/// The installation of a network into a folder.
struct NetworkInstallation {
    private let folder: String
    private let known: [FaceNetwork]

    /// An installation into a folder; nil is the machine's for root, and the user's own for everybody else.
    ///
    /// - Throws: ``ClientError`` for a user without a home.
    init(
        folder: String?,
        known: [FaceNetwork] = FaceNetwork.all,
        isRoot: Bool = geteuid() == 0
    ) throws(ClientError) {
        guard let folder = folder ?? (isRoot ? NetworkFolders.machine : NetworkFolders.own()) else {
            throw .unsuccessful("You have no home directory: set HOME, or name a folder with --to.")
        }
        self.folder = folder
        self.known = known
    }

    /// A network that is in its place.
    struct Installed: Hashable {
        /// The network.
        var network: FaceNetwork
        /// The path of its file.
        var path: String
        /// True if it was there before.
        var wasThere: Bool

        /// Sentences for people.
        var lines: [String] {
            let (own, folder) = (NetworkFolders.own(), FilePath.folder(path))
            let next: String
            switch folder {
            case NetworkFolders.machine, NetworkFolders.packages:
                next = "A daemon that runs takes it up at the next reload: systemctl reload facefetchd"
            case own:
                next =
                    "A daemon of yours that runs takes it up at the next reload: systemctl --user reload facefetchd. "
                    + "For the machine's daemon: sudo facefetch model install"
            default:
                // The daemon runs in another folder.
                next =
                    "The daemon takes it up once its settings say: detection.model: \(FilePath.resolved(path))"
            }
            let verb = wasThere ? "was there already" : "was installed"
            return ["\(network.name) (\(network.licence)) \(verb): \(path)", next]
        }
    }

    /// Fetches a network, unless it is there.
    ///
    /// - Throws: ``ClientError``; nothing was changed then.
    func install(_ network: FaceNetwork, from url: String? = nil) throws(ClientError) -> Installed {
        let path = folder + "/" + network.file
        if let bytes = try? Self.read(path), FoundNetwork.sum(of: bytes) == network.sha256 {
            return Installed(network: network, path: path, wasThere: true)
        }
        let address = url ?? network.address
        let bytes: [UInt8]
        do {
            bytes = try NetworkDownload.fetch(address)
        } catch {
            throw .unsuccessful(
                "\(network.name) can't be fetched from \(address.safeForTerminal): \(error.reason.safeForTerminal). "
                    + "If this machine can't reach it, fetch it on another, and give the file: "
                    + "facefetch model install --file \(network.file)"
            )
        }
        return try install(bytes, of: address, as: network)
    }

    /// Installs a network from a file; nil takes whichever known network it is.
    ///
    /// - Throws: ``ClientError``; nothing was changed then.
    func install(file: String, as network: FaceNetwork?) throws(ClientError) -> Installed {
        try install(try Self.read(file), of: file, as: network)
    }

    private func install(
        _ bytes: [UInt8],
        of source: String,
        as wanted: FaceNetwork?
    ) throws(ClientError) -> Installed {
        let sum = FoundNetwork.sum(of: bytes)
        let candidates = wanted.map { [$0] } ?? known
        guard let network = candidates.first(where: { $0.sha256 == sum }) else {
            let expected = candidates.map { "\($0.sha256) (\($0.name))" }.joined(separator: " or ")
            throw .unsuccessful(
                "\(source.safeForTerminal) is not the network: its SHA-256 is \(sum), and not \(expected). "
                    + "Nothing was installed."
            )
        }
        let path = folder + "/" + network.file
        try Self.makeFolder(folder)
        let file = try NewFile(path)
        // The daemon is another user, whatever this one's umask.
        fchmod(file.bytes.descriptor, 0o644)
        do {
            try file.bytes.add(bytes)
        } catch let error as ClientError {
            throw error
        } catch {
            throw .unsuccessful("\(path.safeForTerminal) can't be written: \(error)")
        }
        try file.finish()
        return Installed(network: network, path: path, wasThere: false)
    }

    /// Makes a folder with those above it, for everybody to read.
    private static func makeFolder(_ path: String) throws(ClientError) {
        guard mkdir(path, 0o755) != 0 else {
            chmod(path, 0o755)
            return
        }
        if errno == EEXIST { return }
        let above = FilePath.folder(path)
        if errno == ENOENT, above != path, above != "." {
            try makeFolder(above)
            if mkdir(path, 0o755) == 0 {
                chmod(path, 0o755)
                return
            }
        }
        throw .unsuccessful("\(path.safeForTerminal) can't be made: \(String(cString: strerror(errno))).")
    }

    /// Reads a file of a network's size.
    private static func read(_ path: String) throws(ClientError) -> [UInt8] {
        do throws(FileFailure) {
            return try WholeFile.bytes(path, atMost: NetworkDownload.longest, .isRegular)
        } catch {
            throw .unsuccessful("\(path.safeForTerminal) can't be used: \(error.words).")
        }
    }
}
