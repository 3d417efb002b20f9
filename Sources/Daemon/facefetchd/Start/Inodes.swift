import Glibc

/// The inodes of a disk: without a free one no file can be made there, however much room there is.
enum Inodes {
    /// Returns whether the disk of a path, which need not be there yet, has none left.
    static func areUsedUp(at path: String) -> Bool {
        var place = path
        var status = statvfs()
        while statvfs(place, &status) != 0 {
            guard let slash = place.lastIndex(of: "/"), slash > place.startIndex else { return false }
            place = String(place[..<slash])
        }
        // Where their number isn't fixed, as on Btrfs, all figures are 0.
        return status.f_files > 0 && status.f_favail == 0
    }
}
