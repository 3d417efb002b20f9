/// The exit statuses of a detector that have a meaning.
public enum DetectorExit {
    /// The machine lacks something that detection needs, such as descriptors, processes or memory
    /// (EX_TEMPFAIL of sysexits(3head)).
    ///
    /// The picture isn't to blame, and should be looked at again after a while.
    public static let outOfResources: Int32 = 75

    /// A signal has ended the process that was decoding the picture; the status is this and its number, as
    /// shells have it.
    public static let decoderSignalled: Int32 = 128
}
