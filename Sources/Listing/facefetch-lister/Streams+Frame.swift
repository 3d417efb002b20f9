import Confinement
import SourceCore
import Vocabulary

extension Streams {
    /// Reads exactly one frame; nil if there is none.
    static func frame(_ descriptor: Int32) -> ListerFrame? {
        guard let start = read(FrameBytes.lengthSize, from: descriptor) else { return nil }
        let length = start.reduce(0) { $0 << 8 | Int($1) }
        guard length <= ListerFrame.Kind.recipe.maximumLength, let rest = read(length, from: descriptor)
        else {
            return nil
        }
        var reader = ListerFrameReader()
        reader.append(start + rest)
        return try? reader.next()
    }
}
