import Digests
import Glibc
import Vocabulary

/// A known network's file that is there.
public struct FoundNetwork: Hashable, Sendable {
    /// The path of its file.
    public let path: String
    /// The network.
    public let network: FaceNetwork

    public init(path: String, network: FaceNetwork) {
        self.path = path
        self.network = network
    }

    /// The most entries of a folder that are looked at.
    private static let mostEntries = 1000

    /// Looks for a known network: the best one wherever it is, and of that the file in the first folder.
    ///
    /// Whatever a file is called, it is known by its SHA-256; only those are read whose length is a network's.
    /// What can't be read isn't there.
    public static func find(in folders: [String], known: [FaceNetwork] = FaceNetwork.all) -> FoundNetwork? {
        var best: (rank: Int, found: FoundNetwork)?
        for folder in folders {
            for path in paths(in: folder) {
                guard let sum = sum(of: path, lengths: known.map(\.length)),
                    let rank = known.firstIndex(where: { $0.sha256 == sum }),
                    best.map({ rank < $0.rank }) ?? true
                else { continue }
                best = (rank, FoundNetwork(path: path, network: known[rank]))
            }
            if best?.rank == 0 { break }
        }
        return best?.found
    }

    /// Returns the SHA-256 of bytes, as ``FaceNetwork/sha256`` has it.
    public static func sum(of bytes: [UInt8]) -> String { SHA256.hash(data: bytes).hexText }

    private static func paths(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while names.count < mostEntries, let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            // Hidden files are unfinished ones.
            if !name.hasPrefix(".") { names.append(folder + "/" + name) }
        }
        return names.sorted()
    }

    /// The SHA-256 of a plain file that has one of these lengths.
    private static func sum(of path: String, lengths: [Int]) -> String? {
        // Whoever puts a pipe there doesn't hold anybody up.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            lengths.contains(Int(status.st_size))
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                buffer.baseAddress.map { read(descriptor, $0 + filled, buffer.count - filled) } ?? 0
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            filled += count
        }
        return sum(of: bytes)
    }
}
