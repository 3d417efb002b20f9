import Vocabulary

/// A picture whose faces are being hidden.
public struct RedactedPicture {
    /// The picture as it is now.
    public private(set) var picture: Picture
    private var areas: [Area] = []
    let style: RedactionStyle
    /// The number of times that something has been hidden.
    private(set) var changes = 0

    /// The parts into which the longer side of a face is cut at first, and when a face is still seen.
    ///
    /// Then it becomes black. Argoverse has five by five for its faces, of which YuNet takes half as many again
    /// for faces, smoothed twice as many.
    private static let parts = [3, 2]

    private struct Area {
        var frame: FaceFrame
        /// The number of times that it was made coarser.
        var level: Int
        /// The number of the change that made it what it is.
        var change: Int
    }

    /// Hides faces, each with a margin around it.
    ///
    /// Faces are in pixels of the picture at full resolution, whatever size that was decoded to.
    public init(_ picture: Picture, faces: [Face], style: RedactionStyle) {
        self.picture = picture
        self.style = style
        hide(faces.map(frame))
    }

    /// Hides further faces.
    mutating func hide(_ faces: [Face]) { hide(faces.map(frame)) }

    /// Returns the frames that were hidden since that number of changes.
    func frames(since change: Int) -> [FaceFrame] {
        areas.filter { $0.change > change }.map(\.frame)
    }

    /// Hides what is still seen as faces: what was hidden already becomes coarser there, or black at once,
    /// and what is black already grows.
    public mutating func hideMore(_ faces: [Face], inBlack: Bool = false) {
        for face in faces {
            let frame = frame(face)
            let touched = areas.indices.filter { areas[$0].frame.touches(frame) }
            let coarse = touched.filter { !isBlack(areas[$0]) }
            for index in coarse {
                changes += 1
                areas[index].change = changes
                areas[index].level += inBlack ? Self.parts.count : 1
                fill(areas[index])
            }
            if coarse.isEmpty { hide([frame], level: touched.isEmpty && !inBlack ? 0 : Self.parts.count) }
        }
    }

    private func frame(_ face: Face) -> FaceFrame {
        FaceFrame(around: face.shrunk(to: picture), width: picture.width, height: picture.height)
    }

    private mutating func hide(_ frames: [FaceFrame], level: Int = 0) {
        changes += 1
        let new = frames.map { Area(frame: $0, level: level, change: changes) }
        for area in new { fill(area) }
        areas += new
    }

    private func isBlack(_ area: Area) -> Bool { style == .solid || area.level >= Self.parts.count }

    private mutating func fill(_ area: Area) {
        let frame = area.frame
        guard !isBlack(area) else { return picture.change { $0.blacken(frame) } }
        let parts = Self.parts[area.level]
        let part = max(1, (max(frame.width, frame.height) + parts - 1) / parts)
        let isSmooth = style == .blur
        picture.change { canvas in
            let means = Mosaic(of: frame, part: part, in: canvas)
            canvas.fill(frame) { x, y in isSmooth ? means.smooth(x, y) : means.square(x, y) }
        }
    }
}

extension Picture {
    /// Lets its pixels be changed.
    fileprivate mutating func change(_ body: (inout PixelCanvas) -> Void) {
        var pixels = pixels
        // So that there is one copy of them only.
        self = Picture(pixels: [], of: self)
        let (width, height) = (width, height)
        pixels.withUnsafeMutableBufferPointer { buffer in
            var canvas = PixelCanvas(pixels: buffer, width: width, height: height)
            body(&canvas)
        }
        self = Picture(pixels: pixels, of: self)
    }
}

/// The means of hiding a face.
public enum RedactionStyle: String, CaseIterable, Sendable {
    /// Black, of which nothing can be won back.
    case solid
    /// A few large squares of one colour each; networks tell people apart in finer ones (R. McPherson, R. Shokri and
    /// V. Shmatikov, "Defeating Image Obfuscation with Deep Learning", 2016).
    case mosaic
    /// The same with smooth transitions.
    case blur
}
