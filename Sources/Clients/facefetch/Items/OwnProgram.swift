import Glibc

/// The place of another program of ours: beside the client, or where packages put it.
enum OwnProgram {
    /// Finds a program; `purpose` is what it does, such as "Tables are read".
    ///
    /// - Throws: ``ClientError`` if it isn't there.
    static func find(_ name: String, for purpose: String) throws(ClientError) -> String {
        let own = realpath("/proc/self/exe", nil).map { pointer -> String in
            defer { free(pointer) }
            return String(cString: pointer)
        }
        let folder = own.map { path in String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]) }
        let places = [folder, "/usr/bin", "/usr/libexec/facefetch"].compactMap(\.self)
        for place in places where access(place + "/" + name, X_OK) == 0 { return place + "/" + name }
        throw .unsuccessful(
            "\(purpose) by \(name), which is not in the same directory as facefetch: install it."
        )
    }
}
