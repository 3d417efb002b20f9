import Glibc
import SourceCore

/// The lister program to run, the number of its processes, and the limits of each.
public struct ListerPoolConfiguration: Hashable, Sendable {
    /// The path of `facefetch-lister`.
    public var executable: String
    /// The directory with the pages, the only one that listers may read.
    public var pages: String
    /// True if a kernel without Landlock is refused.
    public var requiresLandlock: Bool
    /// The time limit for reading one page.
    public var timeout: Duration
    /// The most pages read at the same time for sources, and beside them for people who wait.
    public var width: Int
    /// The time without pages after which a process ends.
    public var idleTime: Duration
    /// The number of pages after which a process is replaced.
    public var recycleAfter: Int

    public init(
        executable: String,
        pages: String,
        requiresLandlock: Bool = false,
        timeout: Duration = .seconds(30),
        width: Int = 2,
        idleTime: Duration = .seconds(30),
        recycleAfter: Int = 1000
    ) {
        self.executable = executable
        self.pages = pages
        self.requiresLandlock = requiresLandlock
        self.timeout = timeout
        self.width = width
        self.idleTime = idleTime
        self.recycleAfter = recycleAfter
    }

    /// The reason why the program can't be run, and what to do about it; nil if it seems to be there.
    var missingProgram: ListerFailure? {
        guard access(executable, X_OK) != 0 else { return nil }
        return ListerFailure(
            "reader_crashed",
            "the program that reads pages can't be run: \(executable): \(String(cString: strerror(errno))); "
                + "install facefetch-lister beside facefetchd, then have the source polled"
        )
    }

    var program: ChildProgram {
        let arguments = ["--serve", "--pages", pages, "--time-limit", "\(timeout / .seconds(1))"]
        return ChildProgram(executable, arguments + (requiresLandlock ? ["--require-landlock"] : []))
    }
}
