import Glibc

/// The unix sockets on which somebody of this machine listens, as the kernel lists them (proc(5), /proc/net/unix).
enum ListeningSockets {
    /// Returns whether somebody listens on the socket that was bound to a path, be its file there or not.
    static func has(_ path: String) -> Bool {
        guard let table = fopen("/proc/net/unix", "re") else { return false }
        defer { fclose(table) }
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        while getline(&line, &capacity, table) > 0 {
            if let line, Self.path(in: String(cString: line)) == path { return true }
        }
        return false
    }

    /// Returns the path in a line of the table; nil unless it is that of a socket that listens.
    static func path(in line: String) -> String? {
        let fields = line.split(separator: " ", maxSplits: 7)
        // __SO_ACCEPTCON; connections that were accepted have the path as well.
        guard fields.count == 8, fields[3] == "00010000" else { return nil }
        return String(fields[7].prefix { $0 != "\n" })
    }
}
