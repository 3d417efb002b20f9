import ExportFormats

/// A document that was looked at, and the number of that ending.
public struct SidecarItem: Hashable, Sendable {
    /// The number of the ending.
    public var number: Int64
    /// The job; nil if it has moved on since, and will be listed again.
    public var job: ExportedJob?

    public init(number: Int64, job: ExportedJob?) {
        self.number = number
        self.job = job
    }
}
