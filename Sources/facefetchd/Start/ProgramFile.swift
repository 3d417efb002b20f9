import Glibc

/// The places of the programs that the daemon runs: beside itself, or where packages put them.
enum ProgramFile: String {
    /// What looks at pictures.
    case detector = "facefetch-detector"
    /// What reads pages.
    case lister = "facefetch-lister"

    /// The path of a program.
    ///
    /// - Throws: ``StartFailure``
    static func find(_ program: ProgramFile) throws(StartFailure) -> String {
        let name = program.rawValue
        let directory = ownDirectory()
        let candidates = [
            directory + "/" + name, directory + "/../bin/" + name,
            directory + "/../libexec/facefetch/" + name,
            "/usr/libexec/facefetch/" + name, "/usr/bin/" + name,
        ]
        for path in candidates where access(path, X_OK) == 0 { return path }
        throw StartFailure(
            status: .missingFile,
            description: "the program \(name) is not in the same directory as \(directory)/facefetchd; "
                + "install all programs in one directory"
        )
    }

    private static func ownDirectory() -> String {
        guard let path = realpath("/proc/self/exe", nil) else { return "/usr/bin" }
        defer { free(path) }
        let text = String(cString: path)
        return String(text[..<(text.lastIndex(of: "/") ?? text.endIndex)])
    }
}
