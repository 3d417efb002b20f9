import Glibc
import JobCore
import Settings
import Synchronization

/// The rules of a time zone, or of the machine's own, which are read again when that becomes another.
final class ZoneFile: Sendable {
    /// Numbers that tell one file from another.
    private struct Identity: Equatable {
        var device: dev_t
        var inode: ino_t
        var changedAt: Int
    }

    private let name: String?
    private let state: Mutex<(identity: Identity?, rules: ZoneRules)>

    /// Reads the rules of the zone with this name; nil for the machine's.
    init(name: String?) {
        self.name = name
        state = Mutex((Self.identity(), name.flatMap(Self.read) ?? Self.local()))
    }

    /// The rules as they are now.
    var rules: ZoneRules {
        state.withLock { state in
            guard name == nil else { return state.rules }
            let identity = Self.identity()
            if identity != state.identity { state = (identity, Self.local()) }
            return state.rules
        }
    }

    /// Returns the rules of a zone; nil if its file can't be read.
    static func read(_ name: String) -> ZoneRules? {
        var rules = TimeZoneFile.bytes(of: name).flatMap(ZoneRules.init(file:))
        rules?.name = name
        return rules
    }

    /// The machine's own zone, which is UTC where nobody has said otherwise (localtime(5)).
    private static func local() -> ZoneRules {
        TimeZoneFile.bytes(at: TimeZoneFile.local).flatMap(ZoneRules.init(file:)) ?? .utc
    }

    private static func identity() -> Identity? {
        var status = stat()
        guard stat(TimeZoneFile.local, &status) == 0 else { return nil }
        return Identity(device: status.st_dev, inode: status.st_ino, changedAt: status.st_ctim.tv_sec)
    }
}
