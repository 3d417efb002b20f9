import CVips

/// Everything in a picture that may be a face, for whoever hides faces.
public struct FacesToHide: Sendable {
    /// What was seen, the surest first, also what counting would not take for a face.
    public var findings: Findings
    /// Of those faces the ones that counting would not count: whoever hands the picture on should look at
    /// them, and for others like them.
    public var doubtful: [FoundFace]
    /// The boxes to hide: those of all looks, also where several are of one face.
    public var boxes: [FoundFace]
    /// The picture in the largest size that was looked at.
    public var picture: Picture

    /// Adds faces that somebody else has found in the picture.
    public mutating func add(_ known: [FoundFace]) {
        boxes += known
        findings.faces = FaceMerge.merge(findings.faces, with: known)
        doubtful.removeAll { face in known.contains { FaceMerge.isSame(face, $0) } }
    }
}

extension FaceDetector {
    /// Looks for everything that may be a face, with a lower threshold than for counting, and takes nothing
    /// back that one look has seen and another hasn't.
    ///
    /// `decode` makes the picture as for ``look(_:)``.
    public func facesToHide(_ decode: (_ size: Int) throws -> Picture) throws -> FacesToHide {
        var (boxes, counted, looks): ([FoundFace], [FoundFace], [Int]) = ([], [], [])
        let (picture, _) = try eachLook(at: decode) { index, picture in
            let possible = try engine.possibleFaces(in: picture, at: index)
            // An earlier look has seen what is large, and sees it better.
            for face in possible where index == 0 || face.box.width <= engine.ladder.widest {
                guard let box = face.box.enlarged(to: picture) else { continue }
                boxes.append(box)
                if face.isCounted { counted.append(box) }
            }
            looks.append(max(picture.width, picture.height))
            return possible
        }
        let faces = FaceMerge.merge([], with: boxes)
        return FacesToHide(
            findings: Findings(
                faces: faces,
                width: picture.fullWidth,
                height: picture.fullHeight,
                orientation: picture.orientation,
                format: picture.format,
                looks: looks
            ),
            doubtful: faces.filter { face in !counted.contains { FaceMerge.isSame(face, $0) } },
            boxes: boxes,
            picture: picture
        )
    }
}

extension UnreadablePicture {
    /// Another picture is in the file now.
    static let changed = UnreadablePicture("was changed while it was looked at")
}

extension Picture {
    /// The picture with its longer side at most `side` pixels.
    func shrunk(to side: Int) throws(UnreadablePicture) -> Picture {
        guard max(width, height) > side else { return self }
        let whole = try VipsImageBox.holding(self)
        let small = try whole.applying { CVips_shrink($0, $1, Int32(clamping: side)) }
        return Picture(
            pixels: try small.pixels(),
            width: small.width,
            height: small.height,
            fullWidth: fullWidth,
            fullHeight: fullHeight,
            orientation: orientation,
            format: format
        )
    }
}
