/// The parameters of the engine `haar`.
public struct HaarSettings: Hashable, Sendable {
    /// The cascade's file; Debian's package opencv-data installs the default.
    public var cascade = "/usr/share/opencv4/haarcascades/haarcascade_frontalface_alt.xml"
    /// The long side that pictures are decoded to, in pixels.
    public var workingSize = 960
    /// The step from one window size to the next, above 1.
    public var scaleFactor = 1.1
    /// A face needs more overlapping windows than this.
    ///
    /// With small pictures enlarged, 3 finds more than OpenCV's usual 4 and invents no more.
    public var neighbours = 3
    /// The smallest face looked for, in pixels at working size.
    ///
    /// It is a thirty-second of the long side. The cascade could go down to 20, but the smallest windows
    /// cost a third of the time and are the least reliable.
    public var minimumFace = 30
    /// True if pictures that are smaller than ``workingSize`` are enlarged to it, at most to twice their
    /// size.
    public var enlarges = true
    /// Last-stage sums below this are no face.
    public var minimumConfidence = -1e9

    /// Creates the default settings.
    public init() {}
}
