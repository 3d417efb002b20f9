/// How a detector ends that has something to say by that.
public enum DetectorExit {
    /// The machine has run out of something that looking needs, such as descriptors, processes or
    /// memory: the picture is none the worse, and is to be looked at again after a while
    /// (EX_TEMPFAIL of sysexits(3head)).
    public static let outOfResources: Int32 = 75
}
