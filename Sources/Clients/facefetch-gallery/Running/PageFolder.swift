import Glibc

/// Finds the files of the page.
enum PageFolder {
    /// Places of the page, from the program's own folder: as installed in bin or libexec, or in the source
    /// that it was built from.
    private static let candidates = [
        "/../share/facefetch/gallery", "/../../share/facefetch/gallery",
        "/../../../Sources/Clients/facefetch-gallery/Page",
    ]

    /// The folder in which scripts/fetch-photoswipe leaves a library that is not in the source; what is
    /// installed has it in the page's folder.
    private static let library = "/../../photoswipe"

    /// Returns the page's folder; nil if it isn't installed.
    static func find() -> String? {
        guard let own = ownFolder() else { return nil }
        return candidates.map { own + $0 }.first { access($0 + "/index.html", R_OK) == 0 }
    }

    /// Returns the folder of the library that was fetched for this build; nil if there is none.
    static func findLibrary() -> String? {
        ownFolder().map { $0 + library }.flatMap { access($0 + "/photoswipe.js", R_OK) == 0 ? $0 : nil }
    }

    private static func ownFolder() -> String? {
        guard let path = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(path) }
        let program = String(cString: path)
        return String(program[..<(program.lastIndex(of: "/") ?? program.endIndex)])
    }
}
