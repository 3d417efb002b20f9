import Glibc

/// The place of the detector program: beside the daemon, or where packages put it.
enum DetectorExecutable {
    private static let name = "facefetch-detector"

    /// The path of the detector program.
    ///
    /// - Throws: ``StartFailure``
    static func find() throws(StartFailure) -> String {
        let directory = ownDirectory()
        let candidates = [
            directory + "/" + name, directory + "/../bin/" + name,
            directory + "/../libexec/facefetch/" + name,
            "/usr/libexec/facefetch/" + name, "/usr/bin/" + name,
        ]
        for path in candidates where access(path, X_OK) == 0 { return path }
        throw StartFailure(
            status: .missingFile,
            description: "the face detector \(name) is not in the same directory as \(directory)/facefetchd; "
                + "install both programs in one directory"
        )
    }

    private static func ownDirectory() -> String {
        guard let path = realpath("/proc/self/exe", nil) else { return "/usr/bin" }
        defer { free(path) }
        let text = String(cString: path)
        return String(text[..<(text.lastIndex(of: "/") ?? text.endIndex)])
    }
}
