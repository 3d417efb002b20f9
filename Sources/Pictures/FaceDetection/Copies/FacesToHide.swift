import Vocabulary

/// Everything in a picture that may be a face, for whoever hides faces.
public struct FacesToHide: Sendable {
    /// The faces that were seen, the surest first, also those that counting would not take for faces.
    public var findings: Findings
    /// The faces among those that counting would not count: whoever hands the picture on should look at
    /// them, and for others like them.
    public var doubtful: [Face]
    /// The boxes to hide: those of all looks, also where several are of one face, and of what isn't mentioned.
    public var boxes: [Face]

    /// Adds faces that somebody else has found in the picture.
    mutating func add(_ known: [Face]) {
        boxes += known
        findings.faces = FaceMerge.merge(findings.faces, with: known)
        doubtful.removeAll { face in known.contains { FaceMerge.isSame(face, $0) } }
    }
}

extension FaceDetector {
    /// Looks for everything that may be a face, with a lower threshold than for counting, and takes nothing
    /// back that one look has seen and another hasn't.
    ///
    /// `decode` makes the picture as for ``look(_:rows:)``; what is larger than all looks is looked at in tiles
    /// at last, and every tile is. `afterLook` gets, after each look, those of the faces
    /// seen so far and of those `known` which are too large for the next one: they may be hidden from it.
    func facesToHide(
        known: [Face] = [],
        _ decode: (_ size: Int) throws -> Picture,
        afterLook: (_ large: [Face]) -> Void = { _ in }
    ) throws -> FacesToHide {
        let ladder = engine.ladder
        var (boxes, mentioned, counted): ([Face], [Face], [Face]) = ([], [], [])
        var looks: [Int] = []
        func collect(_ possible: [PossibleFace], _ index: Int, _ picture: Picture) {
            // Also what is too large for the look: whoever gets the copy may look at it in this size only.
            for face in possible {
                guard let box = face.box.enlarged(to: picture) else { continue }
                boxes.append(box)
                if face.isMentioned { mentioned.append(box) }
                if face.isCounted { counted.append(box) }
            }
            looks.append(max(picture.width, picture.height))
            let widest = ladder.widest(after: index, of: picture)
            afterLook((boxes + known).filter { Double($0.width) > widest })
        }
        let (picture, last) = try eachLook(at: decode) { index, picture in
            let possible = try engine.possibleFaces(in: picture, at: index)
            collect(possible, index, picture)
            return possible.filter(\.isMentioned)
        }
        if let tiles = ladder.tiles(after: last, mode: smallFaces) {
            let larger = try decode(tiles.size)
            let index = ladder.sizes.count
            collect(try engine.possibleFaces(inTilesOf: larger, at: index), index, larger)
        }
        let faces = FaceMerge.merge([], with: mentioned)
        var seen = FacesToHide(
            findings: Findings(
                faces: faces,
                width: picture.fullWidth,
                height: picture.fullHeight,
                orientation: picture.orientation,
                format: picture.format,
                looks: looks
            ),
            doubtful: faces.filter { face in !counted.contains { FaceMerge.isSame(face, $0) } },
            boxes: boxes
        )
        seen.add(known)
        return seen
    }
}

extension FaceEngine {
    /// Everything in a picture that might be a face, seen in the tiles that detection takes (``TiledLook``).
    fileprivate func possibleFaces(
        inTilesOf picture: Picture,
        at look: Int
    ) throws(UnreadablePicture) -> [PossibleFace] {
        var found: [PossibleFace] = []
        for tile in Tile.all(width: picture.width, height: picture.height) {
            guard let part = picture.part(tile.frame) else { continue }
            for var face in try possibleFaces(in: part, at: look) {
                guard let box = tile.told(face.box) else { continue }
                face.box = box
                found.append(face)
            }
        }
        return found
    }
}

extension LookLadder {
    /// Returns the width, in pixels of the whole picture, beyond which a face isn't for the look after this
    /// one to see; infinite if there is none.
    fileprivate func widest(after index: Int, of picture: Picture) -> Double {
        let whole = max(picture.fullWidth, picture.fullHeight)
        var next = sizes.indices.contains(index + 1) ? sizes[index + 1] : nil
        if index + 1 == sizes.count, whole >= Self.leastForTiles { next = whole }
        return next.map { widest * Double(whole) / Double(min($0, whole)) } ?? .infinity
    }
}

extension UnreadablePicture {
    /// Another picture is in the file now.
    static let changed = UnreadablePicture("was changed while it was looked at")
}
