import Glibc

/// Finds the files of the page.
enum PageFolder {
    /// Where the page is, from the program's own folder: as installed in bin or libexec, or in the source
    /// that it was built from.
    private static let candidates = [
        "/../share/facefetch/gallery", "/../../share/facefetch/gallery",
        "/../../../Sources/facefetch-gallery/Page",
    ]

    /// Returns the page's folder; nil if it isn't installed.
    static func find() -> String? {
        guard let path = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(path) }
        let program = String(cString: path)
        let directory = String(program[..<(program.lastIndex(of: "/") ?? program.endIndex)])
        return candidates.map { directory + $0 }.first { access($0 + "/index.html", R_OK) == 0 }
    }
}
