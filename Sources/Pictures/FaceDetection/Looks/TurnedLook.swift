import Vocabulary

/// Looks at a picture on its side and upside down, as scans lie whose files say nothing of it.
struct TurnedLook {
    let engine: any FaceEngine

    /// The faces that were found, in the picture as it is.
    struct Result {
        /// The angle by which the picture was turned clockwise, in degrees.
        var angle: Int
        var faces: [Face]
    }

    /// Returns the faces at the angle at which they are surest; nil if there are none at any.
    func look(at picture: Picture) throws(UnreadablePicture) -> Result? {
        var best: (angle: Int, boxes: [EngineBox], sum: Double)?
        for angle in TurnedLooks.angles {
            let boxes = try engine.candidates(in: picture.turned(by: angle)).filter {
                engine.isFace($0, at: 0)
            }
            let sum = boxes.reduce(0) { $0 + $1.confidence }
            if !boxes.isEmpty, sum > best?.sum ?? -.infinity { best = (angle, boxes, sum) }
        }
        guard let best else { return nil }
        let faces = best.boxes.compactMap {
            $0.turnedBack(from: best.angle, in: picture).enlarged(to: picture)
        }
        return faces.isEmpty ? nil : Result(angle: best.angle, faces: FaceMerge.merge([], with: faces))
    }
}

extension Picture {
    /// Returns the picture turned clockwise by 90, 180 or 270 degrees.
    func turned(by angle: Int) -> Picture {
        let (width, height) = (width, height)
        let lies = angle != 180
        var turned = [UInt8](repeating: 0, count: pixels.count)
        pixels.withUnsafeBufferPointer { source in
            turned.withUnsafeMutableBufferPointer { target in
                for y in 0..<height {
                    for x in 0..<width {
                        let place =
                            switch angle {
                            case 90: x * height + height - 1 - y
                            case 180: (height - 1 - y) * width + width - 1 - x
                            default: (width - 1 - x) * height + y
                            }
                        let from = (y * width + x) * 3
                        for colour in 0..<3 { target[place * 3 + colour] = source[from + colour] }
                    }
                }
            }
        }
        return Picture(
            pixels: turned,
            width: lies ? height : width,
            height: lies ? width : height,
            fullWidth: lies ? fullHeight : fullWidth,
            fullHeight: lies ? fullWidth : fullHeight,
            orientation: orientation,
            format: format
        )
    }
}

extension EngineBox {
    /// Returns the box in a picture, where this one is in the same picture turned clockwise by an angle.
    func turnedBack(from angle: Int, in picture: Picture) -> EngineBox {
        let (right, bottom) = (Double(picture.width), Double(picture.height))
        var box = self
        switch angle {
        case 90: (box.x, box.y) = (y, bottom - x - width)
        case 180: (box.x, box.y) = (right - x - width, bottom - y - height)
        default: (box.x, box.y) = (right - y - height, x)
        }
        if angle != 180 { (box.width, box.height) = (height, width) }
        box.landmarks = landmarks?.map { point in
            switch angle {
            case 90: Point(x: point.y, y: bottom - point.x)
            case 180: Point(x: right - point.x, y: bottom - point.y)
            default: Point(x: right - point.y, y: point.x)
            }
        }
        return box
    }
}
