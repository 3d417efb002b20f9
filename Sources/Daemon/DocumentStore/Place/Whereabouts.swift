import Glibc

/// The place to which the path of an open directory leads: writes go by the descriptor, and people are told
/// the path.
enum Whereabouts: Hashable, Sendable {
    /// To the directory.
    case here
    /// Nowhere, for this reason.
    case gone(CInt)
    /// To another directory.
    case another
    /// To a link that somebody has put in the directory's place.
    case link

    /// The end of a sentence about the directory, with what else helps than to put it back; nil if it is where
    /// it should be.
    func trouble(orElse remedy: String) -> String? {
        switch self {
        case .here: nil
        case .gone(ENOENT), .gone(ESTALE), .gone(ENOTDIR):
            "is not there any more (moved, removed, or no longer mounted): put it back, or \(remedy)"
        case .gone(let number): "can't be found (\(describe(number))): see to it, or mount it again"
        case .another: "is another one than the daemon has open: put that back, or \(remedy)"
        case .link:
            "was replaced by a link, which isn't followed: put the directory back, or restart the daemon to follow it"
        }
    }
}

extension Directory {
    /// Returns where the directory's path leads now.
    var whereabouts: Whereabouts {
        // A file system whose directories have no lasting number tells nothing.
        guard isComparable else { return .here }
        return Self.whereabouts(of: descriptor, at: path, isLink: isLink)
    }

    /// Returns where a path leads, compared with an open directory; `isLink` says that the path may be that of
    /// a link.
    static func whereabouts(of descriptor: CInt, at path: String, isLink: Bool) -> Whereabouts {
        var (own, entry, target) = (stat(), stat(), stat())
        guard lstat(path, &entry) == 0 else { return .gone(errno) }
        if entry.st_mode & S_IFMT == S_IFLNK {
            guard isLink else { return .link }
            guard stat(path, &target) == 0 else { return .gone(errno) }
        } else {
            target = entry
        }
        guard target.st_mode & S_IFMT == S_IFDIR else { return .gone(ENOTDIR) }
        // An open directory of a file server can be gone as well.
        guard fstat(descriptor, &own) == 0 else { return .gone(errno) }
        return own.st_dev == target.st_dev && own.st_ino == target.st_ino ? .here : .another
    }
}
