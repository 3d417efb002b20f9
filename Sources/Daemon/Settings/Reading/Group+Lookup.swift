import Glibc

extension DaemonSettings.Group {
    /// Looks up a group by its name or its number; nil if there is none.
    init?(named name: String) {
        var entry = group()
        var found: UnsafeMutablePointer<group>?
        // Groups with very many members need more space than sysconf suggests.
        var buffer = [CChar](repeating: 0, count: 1 << 16)
        let status = getgrnam_r(name, &entry, &buffer, buffer.count, &found)
        if status == 0, found != nil {
            self.init(name: name, id: entry.gr_gid)
        } else if let number = UInt32(name) {
            self.init(name: name, id: number)
        } else {
            return nil
        }
    }
}
