import Glibc

/// The places of the programs that the daemon runs: beside itself, or where packages put them.
enum ProgramFile: String {
    /// The program that looks at pictures.
    case detector = "facefetch-detector"
    /// The program that reads pages.
    case lister = "facefetch-lister"

    /// The path of a program.
    static func find(_ program: ProgramFile) throws(StartFailure) -> String {
        let path = likelyPath(of: program)
        guard access(path, X_OK) != 0 else { return path }
        throw StartFailure(
            status: .missingFile,
            description: "the program \(program.rawValue) is not in the same directory as "
                + "\(ownDirectory())/facefetchd; install all programs in one directory"
        )
    }

    /// The path of a program, or the path where it is looked for first if there is none.
    static func likelyPath(of program: ProgramFile) -> String {
        let name = program.rawValue
        let directory = ownDirectory()
        let candidates = [
            directory + "/" + name, directory + "/../bin/" + name,
            directory + "/../libexec/facefetch/" + name,
            "/usr/libexec/facefetch/" + name, "/usr/bin/" + name,
        ]
        return candidates.first { access($0, X_OK) == 0 } ?? candidates[0]
    }

    private static func ownDirectory() -> String {
        guard let path = realpath("/proc/self/exe", nil) else { return "/usr/bin" }
        defer { free(path) }
        let text = String(cString: path)
        return String(text[..<(text.lastIndex(of: "/") ?? text.endIndex)])
    }
}
