extension Job {
    /// The largest possible file in bytes: 1 EiB, so that sums of several lengths don't overflow.
    public static let largestLength: Int64 = 1 << 60
}
