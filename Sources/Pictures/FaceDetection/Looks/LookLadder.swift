import Vocabulary

/// The sizes that a picture is looked at in, and the rule by which the next larger look is taken.
///
/// An engine finds faces from a certain size on, in pixels of what it looks at. In a large picture
/// that is shrunk for the first look, smaller ones are lost. A look that is twice as large costs four
/// times as much, so it is taken only where the one before says that it pays:
/// - There are faces almost too small for it, so that there may be some that are smaller. After the
///   first look one is enough; then they have to be a tenth of all, since crowds are worth the time,
///   and a stray face in the background isn't.
/// - Or the first look has seen nothing large. Whoever is photographed large fills a good part of the
///   picture; a large picture without such a face may be of many people, all too small to be seen.
///
/// A look that is only a little larger is for a crowd, of which the one before has seen a few faces.
///
/// What is much larger than all sizes is looked at in tiles at last (``TiledLook``), with as many pixels as
/// there is time for: in a gigapixel, YuNet finds faces of 30 pixels.
///
/// `make crowds` and `make evaluate` measure what that gains, and costs.
public struct LookLadder: Hashable, Sendable {
    /// The version of the rule, of what engines take for sure in larger looks and of ``FaceMerge``, for
    /// ``FaceDetector/parameters``.
    public static let version = 4
    /// The longer sides that pictures are decoded to, ascending.
    let sizes: [Int]
    /// A face at most this wide, in pixels of a look, is almost too small for it.
    let small: Double
    /// A face at least this wide, in pixels of the first look, is large.
    let large: Double
    /// In a larger look, a face wider than this would have been seen before; what looks like one is not a
    /// face.
    let widest: Double
    /// The next look has to show this many times more pixels a side, or it isn't worth its time, unless there is
    /// a crowd to see.
    static let leastGain = 1.5
    /// So many faces that are almost too small for a look are a crowd.
    static let leastOfCrowd = 3
    /// Of larger pictures not all looks are taken unless they are asked for: decoding one again may take
    /// longer than a look.
    static let mostPixels = 250_000_000
    /// The size of the intermediate look at giant pictures; the tiled look that follows finds faces a sixth
    /// as large.
    static let between = 2560
    /// A picture whose longer side is shorter is never looked at in tiles.
    static let leastForTiles = 7680
    /// The most pixels that are looked at in tiles: a quarter of a minute with YuNet.
    static let mostInTiles = 1 << 27
    /// The same where all larger looks are asked for.
    static let mostInTilesAlways = 1 << 28
    /// The longest side of what is looked at in tiles, since a strip of it is held.
    static let longest = 1 << 15

    /// One look at a picture.
    struct Look {
        /// Its index in the ladder.
        var index: Int
        /// The longer side of what was looked at.
        var size: Int
        /// The longer side of the picture.
        var fullSize: Int
        /// The pixels of the picture.
        var fullPixels: Int
        /// Widths of what may be faces, in pixels of the look.
        var widths: [Double]
        /// Widths of those that are.
        var certainWidths: [Double]
    }

    /// A look in tiles.
    struct Tiles: Hashable {
        /// The longer side that the picture is decoded to.
        var size: Int
        /// True if a sample of it is looked at first (``TileChoice``).
        var isSampled: Bool
    }

    /// The index of the next look to take; nil when there is none, or it wouldn't pay.
    ///
    /// `hasTiles` says that the picture can be looked at in tiles afterwards.
    func next(after look: Look, mode: SmallFaces, hasTiles: Bool = false) -> Int? {
        let isGiant = look.fullPixels > Self.mostPixels && mode == .auto
        guard !isGiant || hasTiles && look.index == 0 else { return nil }
        let next = isGiant ? sizes.lastIndex { $0 <= Self.between } ?? 0 : look.index + 1
        guard mode != .off, next > look.index, next < sizes.count else { return nil }
        let size = min(sizes[next], look.fullSize)
        guard size > look.size else { return nil }
        if mode == .always { return next }
        let isMuchLarger = Double(size) >= Double(look.size) * Self.leastGain
        return pays(after: look) && (isMuchLarger || sees(crowdIn: look)) ? next : nil
    }

    /// The look in tiles that follows the last other one; nil when there is none, or it wouldn't pay.
    func tiles(after look: Look, mode: SmallFaces) -> Tiles? {
        let isAlways = mode == .always
        guard mode != .off, look.index > 0, isAlways || look.fullSize >= Self.leastForTiles else {
            return nil
        }
        let most = isAlways ? Self.mostInTilesAlways : Self.mostInTiles
        let scale = (Double(most) / Double(look.fullPixels)).squareRoot()
        let size = min(look.fullSize, Self.longest, Int(Double(look.fullSize) * scale))
        if isAlways { return size > look.size ? Tiles(size: size, isSampled: false) : nil }
        guard Double(size) >= Double(look.size) * Self.leastGain else { return nil }
        if look.fullPixels > Self.mostPixels { return Tiles(size: size, isSampled: true) }
        return look.index == sizes.count - 1 && pays(after: look) ? Tiles(size: size, isSampled: false) : nil
    }

    private func sees(crowdIn look: Look) -> Bool {
        look.certainWidths.count { $0 <= small } >= Self.leastOfCrowd
    }

    private func pays(after look: Look) -> Bool {
        let small = look.widths.count { $0 <= self.small }
        if look.index == 0 {
            let hasLarge = look.certainWidths.contains { $0 >= large }
            return small > 0 || !hasLarge
        }
        return small > 0 && small * 10 >= look.widths.count
    }
}
