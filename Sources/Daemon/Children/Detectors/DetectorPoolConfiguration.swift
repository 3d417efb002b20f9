import JobModel

/// The detector program to run, the number of its processes, and the limits of each.
public struct DetectorPoolConfiguration: Sendable {
    /// The path of `facefetch-detector`.
    public var executable: String
    /// Its arguments, such as `--serve --documents DIR --engine haar`.
    public var arguments: [String]
    /// The number of concurrent processes, at least 1.
    public var workers: Int
    /// The time limit for a picture.
    public var timeout: Duration
    /// The number of pictures after which a process is replaced.
    public var recycleAfter: Int
    /// The time for which a process may be idle before it ends; the next picture starts another.
    public var idleTime: Duration
    /// Returns whether a thumbnail is to be made of a document while it is looked at; it must not block.
    public var wantsThumbnail: @Sendable (DetectionRequest) -> Bool = { _ in false }

    public init(
        executable: String,
        arguments: [String],
        workers: Int,
        timeout: Duration = .seconds(60),
        recycleAfter: Int = 1000,
        idleTime: Duration = .seconds(30)
    ) {
        self.executable = executable
        self.arguments = arguments
        self.workers = workers
        self.timeout = timeout
        self.recycleAfter = recycleAfter
        self.idleTime = idleTime
    }

    var program: ChildProgram { ChildProgram(executable, arguments) }

    var limits: DetectorPoolLimits {
        DetectorPoolLimits(
            workers: workers,
            timeout: timeout,
            recycleAfter: recycleAfter,
            idleTime: idleTime
        )
    }
}
