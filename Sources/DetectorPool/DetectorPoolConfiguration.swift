import JobCore

/// The detector program to run, the number of its processes, and the limits of each.
public struct DetectorPoolConfiguration: Sendable {
    /// The path of `facefetch-detector`.
    public var executable: String
    /// Its arguments, such as `--serve --documents DIR --engine haar`.
    public var arguments: [String]
    /// Processes at once, 1 or more.
    public var workers: Int
    /// The longest that one picture may take.
    public var timeout: Duration
    /// A process is replaced after this many pictures.
    public var recycleAfter: Int
    /// A process that has had nothing to look at for this long ends; the next picture starts another.
    public var idleTime: Duration

    /// A pool of detectors.
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

    var limits: DetectorPoolLimits {
        DetectorPoolLimits(
            workers: workers,
            timeout: timeout,
            recycleAfter: recycleAfter,
            idleTime: idleTime
        )
    }
}
