import Confinement
import Glibc
import SourceCore
import SourceReading

/// Has each page, or each recipe, read by a process of its own, confined to that task and gone afterwards.
///
/// The processes are forked by one that has compiled the recipe and never seen a page. This process opens the page
/// and passes its bytes on without looking at them. What reads recipes as they are written is forked by one that
/// has seen none.
final class Readers {
    let server: ForkServer
    private let compilingLimit: Duration

    /// Starts readers of pages, or of recipes if that is the program; this process must have a single thread and
    /// must not have opened anything yet.
    ///
    /// `limit` is the time limit for one page.
    init(_ program: ListerProgram, limit: Duration) throws(SandboxFailure) {
        let isOfRecipes = program == .recipes
        server = try ForkServer(
            .reading,
            limit: isOfRecipes ? min(limit, Self.recipeLimit) : limit
        ) { () throws(SandboxFailure) in
            try Self.prepare(isOfRecipes ? nil : program)
        }
        compilingLimit = max(server.limit, .seconds(5))
    }

    /// The most that each process here may take.
    ///
    /// libjq takes six times a page's size; what a program makes of it is bounded with it.
    static func limits(_ program: ListerProgram?) -> ProcessLimits {
        let pages = 6 * UInt64(clamping: program?.maximumBytes ?? 0)
        return ProcessLimits(furtherMemory: (512 << 20) + pages, cpuSeconds: 3600)
    }

    /// Prepares the fork server for readers of pages by this program, or of recipes if there is none.
    private static func prepare(_ program: ListerProgram?) throws(SandboxFailure) -> ForkServer.Work {
        let limits = limits(program)
        // Later no file can be opened; nothing of anybody's has been read yet.
        if program != nil { Converters.open() }
        try confine(limits)
        guard let program else { return ForkServer.Work(limits: limits, body: RecipeProcess.body) }
        let compiled = Unmanaged.passRetained(PageProcess.Compiled(program))
        return ForkServer.Work(limits: limits, context: compiled.toOpaque(), body: PageProcess.body)
    }

    /// Confines the fork server itself before it compiles anything.
    ///
    /// Landlock comes first, since recipes aren't trusted either; the rest of the sandbox needs to read a little.
    static func confine(_ limits: ProcessLimits) throws(SandboxFailure) {
        // Otherwise jq would offer $ENV, and read a file in the home directory.
        clearenv()
        // Without any variable there would be no environment at all, whose end jq would look for.
        setenv("LC_ALL", "C", 1)
        unsetenv("LC_ALL")
        try Sandbox.denyPrivileges()
        try Sandbox.restrict(readable: ["/proc/self/task", "/proc/self/statm"])
        try limits.set()
    }

    /// Waits until the expressions are compiled and the fork server's own sandbox is closed.
    func awaitReady(requireLandlock: Bool) throws(SandboxFailure) {
        guard server.isReady(within: compilingLimit) else {
            throw SandboxFailure(
                "the recipe's expressions take longer than \(compilingLimit) to compile; make them shorter"
            )
        }
        try server.awaitReady(requireLandlock: requireLandlock)
    }
}

extension Sandbox {
    /// The sandbox of the lister itself, which may read these files and folders, and has enough memory to hold an
    /// answer until its reader has ended successfully.
    init(ofListerReading readable: [String], requireLandlock: Bool) {
        let limits = ProcessLimits(furtherMemory: 3 << 30, cpuSeconds: 24 * 3600)
        self.init(.reading, limits: limits, readable: readable, requireLandlock: requireLandlock)
    }
}

extension ChildRole {
    /// The words for readers.
    static let reading = ChildRole(
        child: "reader",
        input: "page",
        work: "pages are read",
        withoutLandlock: "do without --require-landlock"
    )
}
